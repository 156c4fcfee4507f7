import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useShortcut } from '../shell/shortcuts.tsx';

type Props = {
  label: string;
  /** What stands in the address. */
  value: string | undefined;
  onFind: (text: string) => void;
  width?: number;
  /** The field that `/` leads to. */
  main?: boolean;
};

/** Finds while one types, a moment after the last key. Whoever types is never interrupted by what is found. */
export function SearchField({ label, value = '', onFind, width = 200, main = false }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const find = useDebouncedCallback((text: string) => onFind(text.trim()), 200);
  useShortcut('/', label, main ? () => field.current?.focus() : null);
  useEffect(() => {
    // By Back, or by a button that clears it; while somebody types the field leads and the address follows.
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
        // A browser would empty it.
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}
