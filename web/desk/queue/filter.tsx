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
import { standingOptions, standingWords } from '../standing-words.ts';
import { readStanding } from '../read-standing.ts';
import { queueReads } from './queue.reads.ts';
import type { QueueFilter } from './tabs.ts';

/** By service, holder and what matters about the customer. */
export function Filter() {
  const [{ family, holder, standing }, setAddress] = useAddress<QueueFilter>();
  const [open, setOpen] = useState(false);
  const services = useServices();
  const holders = useHolders();
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
          <Select
            label="Service"
            comboboxProps={{ withinPortal: false }}
            data={[{ value: '', label: 'Any service' }, ...services]}
            value={family ?? ''}
            onChange={(value) => setAddress({ family: value || undefined, job: undefined })}
          />
          <Select
            label="Holder"
            comboboxProps={{ withinPortal: false }}
            data={[{ value: '', label: 'Anybody' }, ...holders]}
            value={holder ?? ''}
            onChange={(value) => setAddress({ holder: value || undefined, job: undefined })}
          />
          <Select
            label="Customer"
            comboboxProps={{ withinPortal: false }}
            data={standingOptions('Anybody')}
            value={readStanding(standing) ?? ''}
            onChange={(value) => setAddress({ standing: value || undefined, job: undefined })}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function useServices() {
  const { families } = useServiceNames();
  return families.map(({ id, name }) => ({ value: id, label: name }));
}

function useHolders() {
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
  const [{ family, holder, standing: standingText }, setAddress] = useAddress<QueueFilter>();
  const standing = readStanding(standingText);
  const labelOf = (options: { value: string; label: string }[], chosen: string) =>
    options.find(({ value }) => value === chosen)?.label ?? chosen;
  const services = useServices();
  const holders = useHolders();
  return (
    <>
      {family && (
        <Choice onRemove={() => setAddress({ family: undefined, job: undefined })}>{labelOf(services, family)}</Choice>
      )}
      {holder && (
        <Choice onRemove={() => setAddress({ holder: undefined, job: undefined })}>{labelOf(holders, holder)}</Choice>
      )}
      {standing && (
        <Choice onRemove={() => setAddress({ standing: undefined, job: undefined })}>{standingWords[standing]}</Choice>
      )}
    </>
  );
}

const Choice = ({ children, onRemove }: { children: string; onRemove: () => void }) => (
  <button type="button" className="chip choice" aria-label={`Remove the filter ${children}`} onClick={onRemove}>
    {children} <IconX size={13} aria-hidden />
  </button>
);
