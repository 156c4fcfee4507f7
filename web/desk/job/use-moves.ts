import { type DeskAction, deskMoves, isOwnWork, rightFor } from '../../../contract/moves.ts';
import { api, AtelierError, type DeskJob, useOperation } from '../../app/api.ts';
import type { Input } from '../../app/reads.ts';
import { useSession } from '../../app/session/session.tsx';
import { useMoveKey } from '../../ui/form/form.ts';
import { failureSentence, notify } from '../../ui/page/page.tsx';
import { roleReason, useMay } from '../may.ts';
import { firstWords } from './words.ts';

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

export type Move = 'acceptJob' | 'startJob' | 'holdJob' | 'releaseJob' | 'rejectJob' | 'rescheduleJob';
type Body<M> = M extends Move ? (Input<M> extends { body?: infer Of } ? Of : never) : never;
type Sent<M extends Move> = { body?: Body<M>; onSuccess: () => void; onError?: (error: Error) => void };

/** A move of this job, made once for each `state` however often it is pressed. */
export function useMove<M extends Move>(operation: M, { id }: DeskJob, state: string | undefined) {
  const { mutate, isPending, error } = useOperation<Move>(operation);
  const idempotencyKey = useMoveKey(`${operation}-${state}`);
  const run = ({ body, ...then }: Sent<M>) => mutate({ path: { id }, ...(body && { body }), idempotencyKey }, then);
  return { run, isPending, error };
}

/** Tells the second of two operators who got the job. */
export async function notifyWhoWasFirst(id: string, me: string, error: Error): Promise<void> {
  if (!(error instanceof AtelierError) || error.status !== 409) return notify(failureSentence(error));
  const { job } = await api.readDeskJob({ path: { id } }).catch(() => ({ job: null }));
  return notify(job ? firstWords(job, me) : failureSentence(error));
}

export function useAccept() {
  const { isPending: pending, mutate } = useOperation('acceptJob');
  const { user } = useSession();
  const accept = (id: string) =>
    mutate({ path: { id } }, { onError: (error) => void notifyWhoWasFirst(id, user.id, error) });
  return { pending, accept };
}
