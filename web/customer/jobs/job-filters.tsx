import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type JobStatus, jobStatuses } from '../../../contract/moves.ts';
import { operationQuery } from '../../app/api.ts';
import { useAddress } from '../../ui/page/address.ts';
import { BetweenDays } from '../../ui/form/between-days.tsx';
import { inView } from '../../ui/list/in-view.ts';
import { SearchField } from '../../ui/list/search-field.tsx';
import { boundOfDay, useUtc } from '../../ui/time/time.tsx';
import { catalogQuery } from '../../app/service-names.ts';

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
  useUtc();
  const [after, before] = [boundOfDay(from), boundOfDay(to, 1)];
  return {
    ...(family ? { service_family: family } : {}),
    ...(q ? { q } : {}),
    ...(after ? { created_after: after } : {}),
    ...(before ? { created_before: before } : {}),
  };
}

export function Search() {
  const [{ q }, setAddress] = useAddress<Filter>();
  return <SearchField main label="Find a job" value={q} onFind={(text) => setAddress({ q: text })} />;
}

export function Filters() {
  const [{ status, family, from, to }, setAddress] = useAddress<Filter>();
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
        <BetweenDays verb="Ordered" none="Any time" from={from} to={to} onChange={setAddress} />
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
