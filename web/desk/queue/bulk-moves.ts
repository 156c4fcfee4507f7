import { type DeskAction, deskMoves } from '../../../contract/moves.ts';
import type { OperatorRight } from '../../../contract/operator-roles.ts';
import type { DeskJobListItem } from '../../app/api.ts';

/** What can be done with several jobs, in the order of the bar. */
export const bulkMoves = ['accept', 'hold', 'release', 'reject'] as const satisfies DeskAction[];
export type BulkMove = (typeof bulkMoves)[number];

export type BulkJob = Pick<DeskJobListItem, 'id' | 'customer_title' | 'account' | 'status' | 'holder'>;

/** Those that allow the move, by the table of the service. */
export const jobsFor = <Job extends Pick<BulkJob, 'status' | 'holder'>>(
  move: BulkMove,
  jobs: readonly Job[],
  me: string,
  may: (right: OperatorRight) => boolean,
) =>
  jobs.filter(({ status, holder }) =>
    deskMoves(status, holder, me, may).some((offered) => offered.move === move && offered.refused === null),
  );

/** "Accept 2 of 3", or "Accept" if all three allow it. */
export const counted = (label: string, able: number, all: number): string =>
  able === all ? label : `${label} ${able} of ${all}`;

export const sayJobs = (count: number): string => (count === 1 ? '1 job' : `${count} jobs`);
