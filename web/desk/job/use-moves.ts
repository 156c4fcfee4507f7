import { type DeskAction, deskMoves } from '../../../contract/moves.ts';
import type { DeskJob } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';

/** What this operator may do with a job now, by the table that the service decides by; else why not. */
export function useMoves(job: Pick<DeskJob, 'status' | 'holder'>) {
  const { user } = useSession();
  const offered = deskMoves(job.status, job.holder, user.id);
  const find = (move: DeskAction) => offered.find((one) => one.move === move);
  return {
    me: user.id,
    /** Whether the job has the move in its present status, allowed or not. */
    has: (move: DeskAction) => find(move) !== undefined,
    allowed: (move: DeskAction) => find(move)?.refused === null,
    reason: (move: DeskAction): string | null =>
      find(move)?.refused === 'held_by_other'
        ? `${job.holder?.name ?? 'Somebody'} holds this job. Take it over first.`
        : null,
  };
}
