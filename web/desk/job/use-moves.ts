import { type DeskAction, deskMoves } from '../../../contract/moves.ts';
import type { DeskJob } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';

/** Applies the same table as the service, and explains forbidden moves. */
export function useMoves(job: Pick<DeskJob, 'status' | 'holder'>) {
  const { user } = useSession();
  const offered = deskMoves(job.status, job.holder, user.id);
  const find = (move: DeskAction) => offered.find((item) => item.move === move);
  return {
    me: user.id,
    /** Whether the job has the move in its status, allowed or not. */
    has: (move: DeskAction) => find(move) !== undefined,
    allowed: (move: DeskAction) => find(move)?.refused === null,
    reason: (move: DeskAction): string | null =>
      find(move)?.refused === 'held_by_other'
        ? `${job.holder?.name ?? 'Somebody'} holds this job. Take it over first.`
        : null,
  };
}
