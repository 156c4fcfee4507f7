import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '../look/icons.ts';
import { useEffect, useRef } from 'react';
import { useShortcut } from '../shell/shortcuts.tsx';

type Props = {
  label: string;
  value: string | undefined;
  onFind: (text: string) => void;
  width?: number;
  /** Focused by `/`. */
  main?: boolean;
};

/** Searches shortly after the last key. Results never interrupt typing. */
export function SearchField({ label, value = '', onFind, width = 200, main = false }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const find = useDebouncedCallback((text: string) => onFind(text.trim()), 200);
  useShortcut('/', label, main ? () => field.current?.focus() : null, 'Find');
  useEffect(() => {
    // Set by Back or a reset. While somebody types, the field wins.
    if (field.current && document.activeElement !== field.current) field.current.value = value;
  }, [value]);
  return (
    <TextInput
      ref={field}
      type="search"
      w={width}
      maxLength={200}
      aria-label={label}
      placeholder={label}
      leftSection={main && <IconSearch size={15} />}
      rightSection={main && <kbd className="wide-only">/</kbd>}
      defaultValue={value}
      onChange={(event) => find(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // The browser would clear it.
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}
