import { type Place, read, readPages } from '../../app/reads.ts';
import { boundOfDay } from '../../ui/time/day.ts';
import { countsRead } from '../frame.reads.ts';
import { draftsRead } from '../ordering/new-job.reads.ts';
import type { JobStatus } from '../../../contract/moves.ts';

/** Jobs of any status that wait for an answer. */
export const questions = 'questions';

export const groups: { id: string; label: string; statuses: JobStatus[] }[] = [
  { id: 'yours', label: 'Needs you', statuses: ['ready_for_customer_review'] },
  { id: 'queued', label: 'Queued', statuses: ['queued'] },
  { id: 'under_way', label: 'Under way', statuses: ['accepted', 'running', 'needs_review'] },
  { id: 'completed', label: 'Completed', statuses: ['completed'] },
  { id: 'rejected', label: 'Rejected', statuses: ['rejected'] },
  { id: 'canceled', label: 'Canceled', statuses: ['canceled'] },
];

export function jobsReads({ search }: Place) {
  const statuses = groups.find(({ id }) => id === search.status)?.statuses;
  const filter = filterOf(search);
  return {
    all: countsRead,
    drafts: draftsRead,
    // Without a filter, the counts of the whole account.
    counts: Object.keys(filter).length > 0 ? read('countJobs', { query: filter }) : countsRead,
    jobs: readPages('listJobs', {
      query: {
        limit: 50,
        ...(statuses ? { status: statuses } : {}),
        ...(search.status === questions ? { waiting_on: 'customer' as const } : {}),
        ...filter,
      },
    }),
  };
}

function filterOf({ family, q, from, to }: Place['search']) {
  const [after, before] = [boundOfDay(from), boundOfDay(to, 1)];
  return {
    ...(family ? { service_family: family } : {}),
    ...(q ? { q } : {}),
    ...(after ? { created_after: after } : {}),
    ...(before ? { created_before: before } : {}),
  };
}
