import { sql } from 'kysely';
import { endedStatuses } from '../../../contract/moves.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import type { Trx } from '../../db/pool.ts';
import type { Cause } from '../../http/request.ts';
import type { JobRow } from '../../jobs/job.ts';
import { applyMove, setLease } from '../../jobs/move.ts';
import { endWorkerKeys } from '../../keys/worker-key.ts';
import { showId } from '../../lib/id.ts';
import { endImportedInvitations } from '../../members/imported-person.ts';
import { endOperatorInvitations } from '../../members/operator-invitation.ts';

export type EndedAtDesk = { worker_keys: string[]; jobs: string[]; operator_invitations: string[] };

/** Ends worker keys and invitations that somebody made; releases the jobs held by them or by these keys. */
export async function endAtDesk(trx: Trx, userId: string, cause: Cause): Promise<EndedAtDesk> {
  const worker_keys = await revokeWorkerKeys(trx, userId, cause);
  const operator_invitations = await endInvitations(trx, userId, cause);
  await endImportedInvitations(trx, { inviterId: userId }, cause);
  const jobs = await lockJobsOf(trx, userId);
  for (const job of jobs)
    if (job.held_since === null) await setLease(trx, job, { operator_id: null });
    else await applyMove(trx, job, 'release', cause, { operator_id: null });
  const released = jobs.filter((job) => job.held_since !== null);
  return { worker_keys, jobs: released.map(({ id }) => showId('job', id)), operator_invitations };
}

/** Those that somebody made. A job that one of them holds goes back when its lease expires. */
export async function revokeWorkerKeys(trx: Trx, userId: string, cause: Cause): Promise<string[]> {
  const revoked = await endWorkerKeys(trx, userId);
  const worker_keys = revoked.map((id) => showId('wkey', id));
  const details = { creator_id: showId('user', userId) };
  await appendAudit(
    trx,
    cause,
    ...worker_keys.map((subject) => ({ action: 'worker_key.revoked', subject, accountId: null, details }) as const),
  );
  return worker_keys;
}

/** Those of operators that somebody sent. */
export const endInvitations = (trx: Trx, userId: string, cause: Cause): Promise<string[]> =>
  endOperatorInvitations(trx, { by: { inviterId: userId }, because: 'inviter_ended' }, cause);

/** Includes jobs that would return to the operator after a review or a revision. */
async function lockJobsOf(trx: Trx, userId: string): Promise<JobRow[]> {
  return trx
    .selectFrom('jobs')
    .selectAll()
    .where('status', 'not in', endedStatuses)
    .where(
      sql<boolean>`(operator_id = ${userId} or (held_since is not null
        and worker_key_id in (select id from worker_keys where created_by = ${userId})))`,
    )
    .orderBy('account_id')
    .orderBy('id')
    .forUpdate()
    .execute();
}
