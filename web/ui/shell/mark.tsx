import { useComputedColorScheme } from '@mantine/core';
import { studio } from './studio.ts';

type Props = { size: number; title?: string | undefined };

export const Mark = (props: Props) =>
  studio.mark === null ? <MarkOfAtelier {...props} /> : <MarkOfStudio {...props} />;

function MarkOfStudio({ size, title }: Props) {
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const picture = (isDark && studio.mark_dark) || studio.mark;
  return <img style={whole} src={picture ?? ''} width={size} height={size} alt={title ?? ''} />;
}

const whole = { flex: 'none', objectFit: 'contain' } as const;

export const MarkOfAtelier = ({ size, title }: Props) => (
  <svg
    style={whole}
    width={size}
    height={size}
    viewBox="0 0 24 24"
    {...(title ? { role: 'img', 'aria-label': title } : { 'aria-hidden': true })}
  >
    <rect width="24" height="24" rx="6" fill="var(--accent)" />
    <path
      d="M7.5 17.5v-5a4.5 4.5 0 0 1 9 0v5"
      fill="none"
      stroke="var(--on-accent)"
      strokeWidth="1.6"
      strokeLinecap="round"
    />
  </svg>
);
