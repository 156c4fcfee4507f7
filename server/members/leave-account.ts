import type { leaveAccount as endpoint } from '../../contract/people/members.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Db, Trx } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { readId, showId } from '../lib/id.ts';
import { accountsOf, actFor, showAccount } from './account.ts';
import { endAuthority } from './end-authority.ts';
import { refuseThief } from './joined-since.ts';
import { lastOwnerStays, membersOf } from './member.ts';

export async function leaveAccount(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause } = request;
  const { userId } = caller;
  return withIdempotencyKey(db, request, async (trx) => {
    const accountId = await lockOwnMembership(trx, userId, readId('acct', params.id));
    await refuseThief(trx, { accountId, userId, callerId: userId });
    await trx.deleteFrom('members').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
    const ended = await endAuthority(trx, { accountId, userId, heir: null }, cause);
    await appendAudit(trx, cause, { action: 'member.left', subject: showId('user', userId), accountId });
    if (caller.accountId !== null && caller.accountId !== accountId) {
      const current = await accountsOf(trx, userId).where('account.id', '=', caller.accountId).executeTakeFirst();
      return { status: 200, body: { account: current ? showAccount(current, current.id) : null, ...ended }, accountId };
    }
    const next = await accountsOf(trx, userId).executeTakeFirst();
    if (next) await actFor(trx, caller, next.id);
    return { status: 200, body: { account: next ? showAccount(next, next.id) : null, ...ended }, accountId };
  });
}

/** All members are locked, so that two owners cannot leave at the same time. */
async function lockOwnMembership(trx: Trx, userId: string, accountId: string | null): Promise<string> {
  const members = accountId === null ? [] : await membersOf(trx, accountId).forUpdate('member').execute();
  const own = members.find((member) => member.user_id === userId);
  if (!own || accountId === null)
    throw new Refusal('account_not_found', { message: 'You do not belong to this account.' });
  const owners = members.filter(({ role }) => role === 'owner');
  if (own.role === 'owner' && owners.length === 1) throw lastOwnerStays();
  return accountId;
}
