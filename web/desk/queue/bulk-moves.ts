import { type BusinessHours, workingDaysAfter } from '../../../contract/studio/business-time.ts';
import { canReschedule, type DeskAction, deskMoves } from '../../../contract/moves.ts';
import type { OperatorRight } from '../../../contract/desk/operator-roles.ts';
import type { DeskJobListItem } from '../../app/api.ts';
import { daysLater } from '../job/due-choice.ts';

/** What can be done with several jobs, in the order of the bar. */
export const bulkMoves = ['accept', 'hold', 'reschedule', 'release', 'reject'] as const satisfies (
  | DeskAction
  | 'reschedule'
)[];
export type BulkMove = (typeof bulkMoves)[number];

export type BulkJob = Pick<
  DeskJobListItem,
  'id' | 'customer_title' | 'account' | 'status' | 'holder' | 'due_at' | 'waiting_since' | 'remaining_seconds'
>;

/** Those that allow the move, by the table of the service. */
export const jobsFor = <Job extends Pick<BulkJob, 'status' | 'holder'>>(
  move: BulkMove,
  jobs: readonly Job[],
  me: string,
  may: (right: OperatorRight) => boolean,
) =>
  jobs.filter(({ status, holder }) =>
    move === 'reschedule'
      ? canReschedule(status) && may('direct')
      : deskMoves(status, holder, me, may).some((offered) => offered.move === move && offered.refused === null),
  );

/**
 * Later by days, working days if the studio has hours: the due date, or now if that is over; or what is left
 * on a clock that stands still.
 */
export function rescheduled(
  { due_at, waiting_since, remaining_seconds }: Pick<BulkJob, 'due_at' | 'waiting_since' | 'remaining_seconds'>,
  days: number,
  now: number,
  business: BusinessHours | null = null,
): { due_at: string } | { remaining_seconds: number } {
  if (waiting_since !== null) return { remaining_seconds: Math.max(0, remaining_seconds ?? 0) + days * 86_400 };
  const from = Math.max(due_at === null ? now : Date.parse(due_at), now);
  const at = business ? workingDaysAfter(business, from, days) : daysLater(from, days);
  return { due_at: new Date(at).toISOString() };
}

/** "Accept 2 of 3", or "Accept" if all three allow it. */
export const counted = (label: string, able: number, all: number): string =>
  able === all ? label : `${label} ${able} of ${all}`;

export const sayJobs = (count: number): string => (count === 1 ? '1 job' : `${count} jobs`);
