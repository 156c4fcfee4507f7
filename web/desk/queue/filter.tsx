import { Button, Popover } from '@mantine/core';
import { IconFilter, IconX } from '../../ui/look/icons.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../../app/api.ts';
import { useAddress } from '../../ui/page/address.ts';
import { part } from '../../ui/page/part.tsx';
import { boundOfDay } from '../../ui/time/day.ts';
import { sayDay } from '../../ui/time/time.tsx';
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

/** "created from 1 Nov until 30 Nov". */
function sayDays(verb: string, from: string | undefined, to: string | undefined): string | undefined {
  const say = (day: string) => (boundOfDay(day) ? sayDay(`${day}T12:00`) : day);
  return from || to
    ? [verb, from && `from ${say(from)}`, to && `until ${say(to)}`].filter(Boolean).join(' ')
    : undefined;
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
    {
      names: ['created_from', 'created_to'],
      label: sayDays('created', search.created_from, search.created_to),
    },
    { names: ['ended_from', 'ended_to'], label: sayDays('ended', search.ended_from, search.ended_to) },
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
