import { ActionIcon } from '@mantine/core';
import { IconGridDots, IconMoon, IconSun } from '../look/icons.ts';
import { useState } from 'react';
import { ZoomGroup } from './zoom-bar.tsx';

const squares = 'repeating-conic-gradient(#d9d5cd 0 25%, #f4f2ee 0 50%) 0 0 / 20px 20px';
/** They are the same in both schemes: a picture is judged on them. */
const grounds = [
  { name: 'light', label: 'Light ground', icon: IconSun, background: '#f4f2ee' },
  { name: 'dark', label: 'Dark ground', icon: IconMoon, background: '#11100e' },
  { name: 'checked', label: 'Checked ground', icon: IconGridDots, background: squares },
] as const;
type Ground = (typeof grounds)[number];

const key = 'atelier-review-ground';

/** What lies behind a picture: its own scheme until one is chosen, then the same for all pictures. */
export function useGround() {
  const [ground, setGround] = useState<Ground>(() => {
    const isDark = document.documentElement.dataset.mantineColorScheme === 'dark';
    return grounds.find(({ name }) => name === localStorage.getItem(key)) ?? grounds[isDark ? 1 : 0];
  });
  const choose = (next: Ground) => {
    localStorage.setItem(key, next.name);
    setGround(next);
  };
  return [ground, choose] as const;
}

type Props = { ground: Ground; onChange: (ground: Ground) => void };

export const Grounds = ({ ground, onChange }: Props) => (
  <ZoomGroup className="wide-only">
    {grounds.map((each) => (
      <ActionIcon
        key={each.name}
        aria-label={each.label}
        aria-pressed={ground === each}
        {...(ground === each ? { bg: 'var(--hover)', c: 'var(--ink)' } : {})}
        onClick={() => onChange(each)}
      >
        <each.icon size={16} />
      </ActionIcon>
    ))}
  </ZoomGroup>
);
