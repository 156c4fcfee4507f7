import { type DeskAction, deskMoves, isOwnWork, rightFor } from '../../../contract/moves.ts';
import type { DeskJob } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { roleReason, useMay } from '../may.ts';

/** Applies the same table as the service, and explains forbidden moves. */
export function useMoves(job: DeskJob) {
  const { user } = useSession();
  const may = useMay();
  const offered = deskMoves(job.status, job.holder, user.id, may);
  const find = (move: DeskAction) => offered.find((item) => item.move === move);
  return {
    me: user.id,
    may,
    /** Whether the job has the move in its status, allowed or not. */
    has: (move: DeskAction) => find(move) !== undefined,
    allowed: (move: DeskAction) => find(move)?.refused === null,
    reason: (move: DeskAction): string | null => {
      if (move === 'pass' && may('review') && isOwnWork(job, user.id))
        return 'You did this work. Somebody else reviews it.';
      const refused = find(move)?.refused ?? null;
      const holder = job.holder?.name ?? 'Somebody';
      if (refused === null) return null;
      if (!may(rightFor[move])) return roleReason(rightFor[move]);
      if (!may('direct')) return `${holder} holds this job. ${roleReason('direct')}`;
      return `${holder} holds this job. Take it over first.`;
    },
  };
}
