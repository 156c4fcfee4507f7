import { type Place, read, readPages } from '../../app/reads.ts';
import { boundOfDay } from '../../ui/time/day.ts';
import { countsRead } from '../frame.reads.ts';
import { draftsRead } from '../ordering/new-job.reads.ts';
import type { JobStatus } from '../../../contract/moves.ts';

/** Jobs of any status that wait for an answer. */
export const questions = 'questions';
/** Orders that are not sent yet, instead of jobs. */
export const drafts = 'drafts';

export const groups: { id: string; label: string; statuses: JobStatus[] }[] = [
  { id: 'yours', label: 'Needs you', statuses: ['ready_for_customer_review'] },
  { id: 'queued', label: 'Queued', statuses: ['queued'] },
  { id: 'under_way', label: 'Under way', statuses: ['accepted', 'running', 'needs_review'] },
  { id: 'completed', label: 'Completed', statuses: ['completed'] },
  { id: 'rejected', label: 'Rejected', statuses: ['rejected'] },
  { id: 'canceled', label: 'Canceled', statuses: ['canceled'] },
];

/** Canceled jobs have their own chip, and are found by words. */
export const notCanceled = groups.filter(({ id }) => id !== 'canceled').flatMap(({ statuses }) => statuses);

export function jobsReads({ search }: Place) {
  const group = groups.find(({ id }) => id === search.status);
  const statuses = group?.statuses ?? (search.q || search.status === questions ? undefined : notCanceled);
  const filter = {
    service_family: search.family || undefined,
    q: search.q || undefined,
    created_after: boundOfDay(search.from),
    created_before: boundOfDay(search.to, 1),
  };
  const waiting_on = search.status === questions ? 'customer' : undefined;
  return {
    all: countsRead,
    drafts: draftsRead,
    // Without a filter, the counts of the whole account.
    counts: Object.values(filter).some(Boolean) ? read('countJobs', { query: filter }) : countsRead,
    jobs: readPages('listJobs', { query: { limit: 50, include: 'work', status: statuses, waiting_on, ...filter } }),
  };
}
