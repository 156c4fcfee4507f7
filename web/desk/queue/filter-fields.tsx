import { Select, TextInput } from '@mantine/core';
import { useAddress } from '../../ui/page/address.ts';
import { AccountChoice } from '../account-choice.tsx';
import type { QueueFilter } from './tabs.ts';
import { useCriteria } from './use-criteria.ts';

const days = [
  ['created_from', 'Created from'],
  ['created_to', 'Created until'],
  ['ended_from', 'Ended from'],
  ['ended_to', 'Ended until'],
] as const;

export function FilterFields() {
  const [search, setAddress] = useAddress<QueueFilter>();
  const set = (name: QueueFilter) => (value: string | null) =>
    setAddress({ [name]: value ?? undefined, job: undefined });
  return (
    <div style={{ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: 10 }}>
      {useCriteria().map(({ name, label, any, options, value }) => (
        <Select
          key={name}
          label={label}
          style={name === 'family' ? wide : {}}
          comboboxProps={{ withinPortal: false }}
          data={[{ value: '', label: any }, ...options]}
          value={value}
          onChange={set(name as QueueFilter)}
        />
      ))}
      <AccountChoice label="Customer" style={wide} value={search.account} onChange={set('account')} />
      {days.map(([name, label]) => (
        <TextInput
          key={name}
          type="date"
          label={label}
          value={search[name] ?? ''}
          onChange={({ currentTarget: { value } }) => set(name)(value)}
        />
      ))}
    </div>
  );
}

const wide = { gridColumn: '1 / -1' };
