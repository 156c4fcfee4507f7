import { ActionIcon } from '@mantine/core';
import { IconGridDots, IconMoon, IconSun } from '../look/icons.ts';
import { useState } from 'react';

const grounds = [
  { name: 'light', label: 'Light ground', icon: IconSun },
  { name: 'dark', label: 'Dark ground', icon: IconMoon },
  { name: 'checked', label: 'Checked ground', icon: IconGridDots },
] as const;
type Ground = (typeof grounds)[number]['name'];

const key = 'atelier-review-ground';

/** What lies behind a picture: its own scheme until one is chosen, then the same for all pictures. */
export function useGround() {
  const [ground, setGround] = useState<Ground>(() => {
    const chosen = grounds.find(({ name }) => name === localStorage.getItem(key))?.name;
    return chosen ?? (document.documentElement.dataset.mantineColorScheme === 'dark' ? 'dark' : 'light');
  });
  const choose = (next: Ground) => {
    localStorage.setItem(key, next);
    setGround(next);
  };
  return [ground, choose] as const;
}

type Props = { ground: Ground; onChange: (ground: Ground) => void };

export const Grounds = ({ ground, onChange }: Props) => (
  <span className="zoom-group wide-only">
    {grounds.map(({ name, label, icon: Icon }) => (
      <ActionIcon
        key={name}
        aria-label={label}
        aria-pressed={ground === name}
        data-pressed={ground === name || undefined}
        onClick={() => onChange(name)}
      >
        <Icon size={16} />
      </ActionIcon>
    ))}
  </span>
);
