import { Select } from '@mantine/core';

const lives = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

/** A number of days; empty for never. */
export const KeyExpiry = ({ days, onChange }: { days: string; onChange: (days: string) => void }) => (
  <Select label="Expires" data={lives} value={days} onChange={(value) => onChange(value ?? '')} />
);

export const expiryIn = (days: string) =>
  days ? { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() } : {};
