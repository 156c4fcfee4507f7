import { Select } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type JobStatus, jobStatuses } from '../../../contract/moves.ts';
import { catalogRead } from '../../app/reads.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { useAddress } from '../../ui/page/address.ts';
import { BetweenDays } from '../../ui/form/between-days.tsx';
import { inView } from '../../ui/list/in-view.ts';
import { SearchField } from '../../ui/list/search-field.tsx';
import { groups, jobsReads, questions } from './jobs.reads.ts';
import { waitingRead } from '../frame.reads.ts';

type Filter = 'status' | 'family' | 'q' | 'from' | 'to';

export function Search() {
  const [{ q }, setAddress] = useAddress<Filter>();
  return <SearchField main label="Find a job" value={q} onFind={(text) => setAddress({ q: text })} />;
}

export function Filters() {
  const [{ status, family, from, to }, setAddress] = useAddress<Filter>();
  const catalog = useRead(catalogRead);
  const { data } = useRead(useReads(jobsReads).counts, { refetchInterval: 10_000, placeholderData: keepPreviousData });
  const countOf = (statuses: readonly JobStatus[]) =>
    data && statuses.reduce((sum, status) => sum + data.counts[status], 0);
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
      <QuestionsChip pressed={status === questions} onPress={() => setAddress({ status: questions })} />
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

/** Only while there are questions. */
function QuestionsChip({ pressed, onPress }: { pressed: boolean; onPress: () => void }) {
  const { data } = useRead(waitingRead);
  const count = Object.values(data?.counts ?? {}).reduce((sum, number) => sum + number, 0);
  if (count === 0 && !pressed) return null;
  return (
    <button type="button" className="chip" aria-pressed={pressed} onClick={onPress}>
      Questions for you <span className="count numbers">{count}</span>
    </button>
  );
}
