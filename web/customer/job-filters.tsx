import { Button, Popover, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconChevronDown } from '@tabler/icons-react';
import { type JobStatus, jobStatuses } from '../../contract/moves.ts';
import { operationQuery } from '../api.ts';
import { useAddress } from '../ui/address.ts';
import { inView } from '../ui/in-view.ts';
import { SearchField } from '../ui/search-field.tsx';
import { sayDay } from '../ui/time.tsx';
import { catalogQuery } from '../ui/service-names.ts';

/** The chips above the list, and the statuses behind each. */
export const groups: { id: string; label: string; statuses: JobStatus[] }[] = [
  { id: 'yours', label: 'Needs you', statuses: ['ready_for_customer_review'] },
  { id: 'queued', label: 'Queued', statuses: ['queued'] },
  { id: 'under_way', label: 'Under way', statuses: ['accepted', 'running', 'needs_review'] },
  { id: 'completed', label: 'Completed', statuses: ['completed'] },
  { id: 'rejected', label: 'Rejected', statuses: ['rejected'] },
  { id: 'canceled', label: 'Canceled', statuses: ['canceled'] },
];

export type Filter = 'status' | 'family' | 'q' | 'from' | 'to';

/** What the address filters by besides the status, as the list and its counts take it. */
export function useJobFilter() {
  const [{ family, q, from, to }] = useAddress<Filter>();
  return {
    ...(family ? { service_family: family } : {}),
    ...(q ? { q } : {}),
    ...(from ? { created_after: new Date(from).toISOString() } : {}),
    ...(to ? { created_before: new Date(Date.parse(to) + 86_400_000).toISOString() } : {}),
  };
}

export function Search() {
  const [{ q }, setAddress] = useAddress<Filter>();
  return <SearchField main label="Find a job" value={q} onFind={(text) => setAddress({ q: text })} />;
}

export function Filters() {
  const [{ status, family }, setAddress] = useAddress<Filter>();
  const catalog = useQuery(catalogQuery);
  const filter = useJobFilter();
  // Unfiltered they are those of the whole page.
  const counts = operationQuery('countJobs', Object.keys(filter).length > 0 ? { query: filter } : {});
  const { data } = useQuery({ ...counts, refetchInterval: 10_000 });
  const countOf = (statuses: readonly JobStatus[]) => data && statuses.reduce((sum, one) => sum + data.counts[one], 0);
  const families = catalog.data?.service_families.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return (
    <div className="chips">
      {[{ id: undefined, label: 'All', statuses: jobStatuses }, ...groups].map(({ id, label, statuses }) => (
        <button
          key={label}
          ref={id !== undefined && status === id ? inView : undefined}
          type="button"
          className="chip"
          aria-pressed={status === id}
          onClick={() => setAddress({ status: id })}
        >
          {label} <span className="count numbers">{countOf(statuses)}</span>
        </button>
      ))}
      <span className="push row">
        <OrderedBetween />
        <Select
          size="xs"
          w={150}
          aria-label="Service"
          data={[{ value: '', label: 'Any service' }, ...families]}
          value={family ?? ''}
          onChange={(value) => setAddress({ family: value || undefined })}
        />
      </span>
    </div>
  );
}

/** The days of ordering, behind a button that tells them. */
function OrderedBetween() {
  const [{ from, to }, setAddress] = useAddress<Filter>();
  const words = [from && `from ${sayDay(from)}`, to && `until ${sayDay(to)}`].filter(Boolean).join(' ');
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" h={30} rightSection={<IconChevronDown size={14} />}>
          {words ? `Ordered ${words}` : 'Any time'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="stack-small">
          <DateField label="Ordered from" value={from} onChange={(value) => setAddress({ from: value })} />
          <DateField label="Ordered until" value={to} onChange={(value) => setAddress({ to: value })} />
          {words && (
            <Button variant="subtle" size="xs" onClick={() => setAddress({ from: undefined, to: undefined })}>
              Any time
            </Button>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

type DateProps = { label: string; value: string | undefined; onChange: (value: string | undefined) => void };

const DateField = ({ label, value, onChange }: DateProps) => (
  <TextInput
    type="date"
    size="xs"
    w={200}
    label={label}
    value={value ?? ''}
    onChange={(event) => onChange(event.currentTarget.value || undefined)}
  />
);
