import { Select } from '@mantine/core';
import { DayFields } from '../../ui/form/between-days.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { AccountChoice } from '../account-choice.tsx';
import type { QueueFilter } from './tabs.ts';
import { useCriteria } from './use-criteria.ts';

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
      {(['created', 'ended'] as const).map((name) => (
        <DayFields
          key={name}
          verb={name === 'created' ? 'Created' : 'Ended'}
          from={search[`${name}_from`]}
          to={search[`${name}_to`]}
          onChange={(change) =>
            setAddress({
              ...Object.fromEntries(Object.entries(change).map(([end, day]) => [`${name}_${end}`, day])),
              job: undefined,
            })
          }
        />
      ))}
    </div>
  );
}

const wide = { gridColumn: '1 / -1' };
