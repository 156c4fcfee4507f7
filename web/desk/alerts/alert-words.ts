import type { Alert } from '../../app/api.ts';

/** Exhaustive: a new kind does not compile without words. */
export const alertWords: Record<Alert['kind'], string> = {
  handed_over: 'Handed over to you',
  revision_requested: 'Changes requested',
  question_answered: 'The customer has answered',
  due_soon: 'Due in less than two hours',
  overdue: 'Overdue',
  parked: 'Parked',
  lease_lost: 'Lease lost',
};
