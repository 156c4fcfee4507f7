import { Button, Popover, Select } from '@mantine/core';
import { IconFilter, IconX } from '../../ui/look/icons.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { useAddress } from '../../ui/page/address.ts';
import { KeyHint, useShortcut } from '../../ui/shell/shortcuts.tsx';
import { useMay } from '../may.ts';
import { standingOptions } from '../standing-words.ts';
import { readStanding } from '../read-standing.ts';
import { queueReads } from './queue.reads.ts';
import type { QueueFilter } from './tabs.ts';

type Options = { value: string; label: string }[];
type Criterion = {
  name: 'family' | 'holder' | 'standing';
  label: string;
  any: string;
  options: Options;
  value: string;
};

/** By service, holder and what matters about the customer. */
function useCriteria(): Criterion[] {
  const [{ family, holder, standing }] = useAddress<QueueFilter>();
  const services = useServiceNames().families.map(({ id, name }) => ({ value: id, label: name }));
  return [
    { name: 'family', label: 'Service', any: 'Any service', options: services, value: family ?? '' },
    { name: 'holder', label: 'Holder', any: 'Anybody', options: useHolders(), value: holder ?? '' },
    {
      name: 'standing',
      label: 'Customer',
      any: 'Anybody',
      options: standingOptions,
      value: readStanding(standing) ?? '',
    },
  ];
}

export function Filter() {
  const [, setAddress] = useAddress<QueueFilter>();
  const [open, setOpen] = useState(false);
  const criteria = useCriteria();
  const toggle = () => setOpen(!open);
  useShortcut('f', 'Filter by service, holder or customer', toggle, 'Filter');
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={260} trapFocus returnFocus>
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
        <div className="stack-small">
          {criteria.map(({ name, label, any, options, value }) => (
            <Select
              key={name}
              label={label}
              comboboxProps={{ withinPortal: false }}
              data={[{ value: '', label: any }, ...options]}
              value={value}
              onChange={(next) => setAddress({ [name]: next || undefined, job: undefined })}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function useHolders(): Options {
  const [{ holder }] = useAddress<QueueFilter>();
  const { user } = useSession();
  const reads = useReads(queueReads);
  const operators = useRead(reads.operators);
  const workers = useQuery({ ...operationQuery('listWorkerKeys'), enabled: useMay()('read_records') });
  const options = [
    { value: 'none', label: 'Free' },
    { value: 'me', label: 'You' },
    ...(operators.data?.operators ?? [])
      .filter(({ id }) => id !== user.id)
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(({ id, name }) => ({ value: id, label: name })),
    ...(workers.data?.worker_keys ?? [])
      .filter(({ status }) => status === 'active')
      .map(({ id, name }) => ({ value: id, label: name })),
  ];
  const unknown = holder !== undefined && !options.some(({ value }) => value === holder);
  return unknown ? [...options, { value: holder, label: holder }] : options;
}

/** What is chosen, each with a button that takes it away. */
export function Narrowed() {
  const [, setAddress] = useAddress<QueueFilter>();
  return useCriteria()
    .filter(({ value }) => value !== '')
    .map(({ name, options, value }) => (
      <Choice key={name} onRemove={() => setAddress({ [name]: undefined, job: undefined })}>
        {options.find((option) => option.value === value)?.label ?? value}
      </Choice>
    ));
}

const Choice = ({ children, onRemove }: { children: string; onRemove: () => void }) => (
  <button type="button" className="chip choice" aria-label={`Remove the filter ${children}`} onClick={onRemove}>
    {children} <IconX size={13} aria-hidden />
  </button>
);
