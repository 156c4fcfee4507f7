import { Button, Popover } from '@mantine/core';
import { IconFilter, IconX } from '../../ui/look/icons.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../../app/api.ts';
import { useAddress } from '../../ui/page/address.ts';
import { part } from '../../ui/page/part.tsx';
import { sayDays } from '../../ui/time/time.tsx';
import { KeyHint, useShortcut } from '../../ui/shell/shortcuts.tsx';
import type { QueueFilter } from './tabs.ts';
import { useCriteria } from './use-criteria.ts';

const FilterFields = part(() => import('./filter-fields.tsx'), 'FilterFields');

export function Filter() {
  const [open, setOpen] = useState(false);
  const toggle = () => setOpen(!open);
  useShortcut('f', 'Filter by service, customer, state or days', toggle, 'Filter');
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={340} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilter size={16} />}
          rightSection={<KeyHint>f</KeyHint>}
          onClick={toggle}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filter">
        <FilterFields />
      </Popover.Dropdown>
    </Popover>
  );
}

/** What is chosen, each with a button that takes it away. */
export function Narrowed() {
  const [search, setAddress] = useAddress<QueueFilter>();
  const account = search.account ?? '';
  const customer = useQuery({ ...operationQuery('readAccount', { path: { id: account } }), enabled: account !== '' });
  const chosen = [
    ...useCriteria()
      // The order is part of what a view is, and narrows nothing.
      .filter(({ name }) => name !== 'sort' || !search.view)
      .map(({ name, options, value }) => ({
        names: [name],
        label: value && (options.find((choice) => choice.value === value)?.label ?? value),
      })),
    { names: ['account'], label: account && (customer.data?.account.name ?? 'One customer') },
    ...(['created', 'ended'] as const).map((verb) => {
      const [from, to] = [search[`${verb}_from`], search[`${verb}_to`]];
      return { names: [`${verb}_from`, `${verb}_to`], label: (from || to) && `${verb} ${sayDays(from, to)}` };
    }),
  ];
  return chosen.map(
    ({ names, label }) =>
      label && (
        <button
          key={names[0]}
          type="button"
          className="chip choice"
          aria-label={`Remove the filter ${label}`}
          onClick={() => setAddress(Object.fromEntries([...names, 'job'].map((name) => [name, undefined])))}
        >
          {label} <IconX size={13} aria-hidden />
        </button>
      ),
  );
}
