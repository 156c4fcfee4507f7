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
