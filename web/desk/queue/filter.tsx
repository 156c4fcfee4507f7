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

const option = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });

/** By service, holder and what matters about the customer. */
function useCriteria() {
  const [{ family = '', holder = '', standing }] = useAddress<QueueFilter>();
  const services = useServiceNames().everyFamily.map(option);
  const state = readStanding(standing) ?? '';
  return [
    { name: 'family', label: 'Service', any: 'Any service', options: services, value: family },
    { name: 'holder', label: 'Holder', any: 'Anybody', options: useHolders(), value: holder },
    { name: 'standing', label: 'Customer', any: 'Anybody', options: standingOptions, value: state },
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

function useHolders(): { value: string; label: string }[] {
  const [{ holder }] = useAddress<QueueFilter>();
  const { user } = useSession();
  const operators = useRead(useReads(queueReads).operators);
  const workers = useQuery({ ...operationQuery('listWorkerKeys'), enabled: useMay()('read_records') });
  const options = [
    { value: 'none', label: 'Free' },
    { value: 'me', label: 'You' },
    ...(operators.data?.operators ?? [])
      .filter(({ id }) => id !== user.id)
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(option),
    ...(workers.data?.worker_keys ?? []).filter(({ status }) => status === 'active').map(option),
  ];
  const unknown = holder !== undefined && !options.some(({ value }) => value === holder);
  return unknown ? [...options, { value: holder, label: holder }] : options;
}

/** What is chosen, each with a button that takes it away. */
export function Narrowed() {
  const [, setAddress] = useAddress<QueueFilter>();
  return useCriteria()
    .filter(({ value }) => value !== '')
    .map(({ name, options, value }) => {
      const label = options.find((choice) => choice.value === value)?.label ?? value;
      const remove = () => setAddress({ [name]: undefined, job: undefined });
      return (
        <button
          key={name}
          type="button"
          className="chip choice"
          aria-label={`Remove the filter ${label}`}
          onClick={remove}
        >
          {label} <IconX size={13} aria-hidden />
        </button>
      );
    });
}
