import { Select } from '@mantine/core';

const overlaps = [
  { value: '24', label: 'For a day' },
  { value: '1', label: 'For an hour' },
  { value: '168', label: 'For a week' },
  { value: '0', label: 'Not at all: it ends now' },
];

export const defaultOverlap = 24;

type Props = { label: string; hours: number; onChange: (hours: number) => void; children: string };

/** How many hours the old key or secret stays valid, below why. */
export const Overlap = ({ label, hours, onChange, children }: Props) => (
  <div className="stack">
    <p>{children}</p>
    <Select
      label={label}
      data={overlaps}
      value={String(hours)}
      onChange={(value) => onChange(Number(value ?? defaultOverlap))}
    />
  </div>
);
