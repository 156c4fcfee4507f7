import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { deletePerson as endpoint } from '../../contract/sessions.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import type { Auth } from './auth.ts';
import { lockAccount } from '../db/lock-account.ts';
import { transact } from '../db/transact.ts';
import { dropMails } from '../mail/outbox.ts';
import { endAllOf } from './end-authority.ts';
import { refuseWhileUndoable } from '../mail/mail-token.ts';
import { proveIdentity } from './prove-identity.ts';

type Parts = {
  auth: Auth;
  db: Db;
  rates: RateLimiter<'prove_identity'>;
  /** Deletes the bytes behind rows that closing an account marked. */
  removeFilesOf(accountIds: readonly string[]): Promise<void>;
};

/**
 * Who they were is overwritten and all that is theirs ends. The row stays without a name: jobs, notes and the audit refer
 * to it, and say that there was somebody, not who.
 */
export async function deletePerson(
  parts: Parts,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { auth, db } = parts;
  const { caller, body, cause } = request;
  const { userId } = caller;
  if (caller.operator)
    throw new Refusal('invalid_request', {
      message: 'You are an operator of the studio.',
      action: 'Ask the studio to take the desk away from you first.',
    });
  await proveIdentity(parts, request, { location: '/password', password: body.password, code: body.code });
  const closed = await transact(db, async (trx) => {
    await refuseWhileUndoable(trx, userId);
    const owned = await lockOwnedAlone(trx, userId);
    for (const accountId of owned) await refuseWhereBusy(trx, accountId);
    await endAllOf(trx, userId, cause, owned);
    for (const accountId of owned) await closeAccount(trx, accountId);
    await forget(trx, userId);
    await appendAudit(trx, cause, { action: 'user.deleted', subject: showId('user', userId), accountId: null });
    return owned;
  });
  await parts.removeFilesOf(closed);
  return { status: 200, body: { done: true }, headers: { 'set-cookie': auth.endCookie } };
}

/** The accounts whose last owner they are. Members are locked, so that no other owner leaves meanwhile. */
async function lockOwnedAlone(trx: Trx, userId: string): Promise<string[]> {
  const members = await trx
    .selectFrom('auth.member')
    .select(['account_id', 'user_id', 'role'])
    .where('account_id', 'in', (own) =>
      own.selectFrom('auth.member').select('account_id').where('user_id', '=', userId),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  const owners = members.filter(({ role }) => role === 'owner');
  const mine = owners.filter(({ user_id }) => user_id === userId).map(({ account_id }) => account_id);
  return mine.filter((id) => !owners.some(({ account_id, user_id }) => account_id === id && user_id !== userId));
}

/** The account is locked first, as by who creates a job or grants a plan, so none comes meanwhile. */
async function refuseWhereBusy(trx: Trx, accountId: string): Promise<void> {
  await lockAccount(trx, accountId);
  const { rows } = await sql<{ name: string; busy: boolean }>`
    select name, exists (select from jobs where account_id = ${accountId})
      or exists (select from entitlements where account_id = ${accountId} and status <> 'canceled') as busy
    from auth.account where id = ${accountId}`.execute(trx);
  if (!rows[0]?.busy) return;
  throw new Refusal('invalid_request', {
    message: `You are the last owner of the account "${rows[0].name}", which has jobs or a plan.`,
    action: 'Make another member its owner first.',
  });
}

/** Files are marked here, and their bytes deleted after the commit; a checkout that was begun is ended at the provider within a minute. */
async function closeAccount(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('intake_messages').where('account_id', '=', accountId).execute();
  await trx.deleteFrom('intake_sessions').where('account_id', '=', accountId).execute();
  await trx
    .updateTable('files')
    .set({ status: 'deleted', deleted_at: sql<Date>`now()`, file_name: 'deleted' })
    .where('account_id', '=', accountId)
    .where('status', '=', 'uploaded')
    .execute();
  await trx
    .updateTable('files')
    .set({ status: 'expired', file_name: 'deleted' })
    .where('account_id', '=', accountId)
    .where('status', '=', 'pending_upload')
    .execute();
  await trx
    .updateTable('checkouts')
    .set({ replaced_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('paid_at', 'is', null)
    .execute();
  await trx.updateTable('auth.account').set({ name: 'Closed account' }).where('id', '=', accountId).execute();
}

async function forget(trx: Trx, userId: string): Promise<void> {
  await dropMails(trx, userId);
  await trx.deleteFrom('auth.credential').where('user_id', '=', userId).execute();
  await trx.deleteFrom('auth.member').where('user_id', '=', userId).execute();
  await trx.deleteFrom('auth.invitation').where('inviter_id', '=', userId).execute();
  await trx.deleteFrom('auth.mail_token').where('user_id', '=', userId).execute();
  await trx.deleteFrom('auth.two_factor').where('user_id', '=', userId).execute();
  await trx
    .updateTable('auth.user')
    .set({
      name: 'Deleted person',
      email: `${userId}@deleted.invalid`,
      email_verified: true,
      second_factor: false,
      known_networks: [],
    })
    .where('id', '=', userId)
    .execute();
}
