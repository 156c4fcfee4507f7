import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../app/api.ts';

type Props = Pick<SelectProps, 'label' | 'style'> & {
  value: string | undefined;
  onChange: (id: string | null) => void;
};

/** Finds an account by its name or an address of its members. */
export function AccountChoice({ label, style, value = '', onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const search = operationQuery('listAccounts', { query: { q, limit: 8 } });
  const matches =
    useQuery({ ...search, enabled: q.length > 1, placeholderData: keepPreviousData }).data?.accounts ?? [];
  const present = operationQuery('readAccount', { path: { id: value } });
  const name = useQuery({ ...present, enabled: value !== '' }).data?.account.name;
  const chosen = value && !matches.some(({ id }) => id === value) ? [{ value, label: name ?? value }] : [];
  return (
    <Select
      searchable
      clearable
      label={label}
      style={style ?? {}}
      placeholder="Anybody"
      comboboxProps={{ withinPortal: false }}
      data={[...chosen, ...matches.map((account) => ({ value: account.id, label: account.name }))]}
      // The service has searched.
      filter={({ options }) => options}
      nothingFoundMessage={q.length > 1 ? 'Nobody found' : 'Type a name'}
      value={value || null}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  );
}
