import type { closeAccount as endpoint } from '../../contract/people/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { isEnded } from '../../contract/moves.ts';
import { accountsOf, actFor, showAccount } from '../members/account.ts';
import type { Auth } from '../sign-in/auth.ts';
import { endAccess } from '../members/end-authority.ts';
import { refuseThief } from '../members/joined-since.ts';
import { lockMembers, type MemberRow } from '../members/member.ts';
import { proveIdentity } from '../sign-in/prove-identity.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, lockCounters, transact, type Trx } from '../db/pool.ts';
import type { RemoveFilesOf } from '../files/remove-files-of.ts';
import type { Cause, Request, SessionCaller } from '../http/request.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import { applyMove } from '../jobs/move.ts';
import { accountUse, useRefusal } from './account-use.ts';
import { eraseAccount } from './erase-account.ts';
import { lockAccess } from './lock-access.ts';

type Dependencies = {
  auth: Auth;
  db: Db;
  graceHours: number;
  rates: RateLimiter<'prove_identity'>;
  removeFilesOf: RemoveFilesOf;
};

export async function closeAccount(
  dependencies: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { db, graceHours } = dependencies;
  const { caller, body, cause } = request;
  const { accountId, userId } = caller;
  await proveIdentity(dependencies, request, { location: '/password', password: body.password, code: body.code });
  const next = await transact(db, async (trx) => {
    const members = await lockMembers(trx, caller);
    refuseUnlessOwner(members, caller);
    for (const member of members) await refuseThief(trx, { accountId, userId: member.user_id, callerId: userId });
    await lockAccess(trx, accountId);
    await cancelOpenJobs(trx, accountId, graceHours, cause);
    await endAccess(trx, accountId, userId, cause);
    await eraseAccount(trx, accountId);
    await trx.deleteFrom('members').where('account_id', '=', accountId).execute();
    await appendAudit(trx, cause, { action: 'account.closed', subject: showId('acct', accountId), accountId });
    const next = (await accountsOf(trx, userId).executeTakeFirst()) ?? null;
    if (next) await actFor(trx, caller, next.id);
    return next;
  });
  await dependencies.removeFilesOf([accountId]);
  return { status: 200, body: { account: next ? showAccount(next, next.id) : null } };
}

function refuseUnlessOwner(members: readonly MemberRow[], caller: SessionCaller): void {
  if (members.some(({ user_id, role }) => user_id === caller.userId && role === 'owner')) return;
  throw new Refusal('role_required', {
    message: 'Only an owner can close an account.',
    action: 'Ask an owner of the account.',
  });
}

/** Locks jobs before the account, like every move. After that, no job can be created. */
async function cancelOpenJobs(trx: Trx, accountId: string, graceHours: number, cause: Cause): Promise<void> {
  const jobs = await trx
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', 'not in', ['completed', 'rejected', 'canceled'])
    .orderBy('id')
    .forUpdate()
    .execute();
  await lockCounters(trx, accountId);
  const use = await accountUse(trx, accountId, graceHours);
  const refusal = useRefusal(use);
  if (refusal) throw refusal;
  const open = jobs.filter(({ status }) => !isEnded(status));
  if (open.length !== use.open_jobs)
    throw new Refusal('account_in_use', { message: 'A job was created in the meantime.', action: 'Ask again.' });
  for (const job of open) await applyMove(trx, job, 'cancel', cause);
}
