import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { deletePerson as endpoint } from '../../contract/sessions.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import type { Auth } from '../sign-in/auth.ts';
import { lockAccount } from '../db/lock-account.ts';
import { transact } from '../db/transact.ts';
import { endAllOf } from '../members/end-authority.ts';
import { refuseWhileUndoable } from '../mail/mail-token.ts';
import type { RemoveFilesOf } from '../files/remove-files-of.ts';
import { eraseAccount } from './erase-account.ts';
import { proveIdentity } from '../sign-in/prove-identity.ts';
import type { Mailbox } from '../mail/mailbox.ts';
import { dropInvitationMails, dropMails } from '../mail/outbox.ts';

type Parts = {
  auth: Auth;
  db: Db;
  mailbox: Mailbox;
  rates: RateLimiter<'prove_identity'>;
  removeFilesOf: RemoveFilesOf;
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
    for (const accountId of owned) await eraseAccount(trx, accountId);
    await forgetAnswers(trx, userId);
    await forget(trx, userId, caller.email);
    await appendAudit(trx, cause, { action: 'user.deleted', subject: showId('user', userId), accountId: null });
    return owned;
  });
  await parts.removeFilesOf(closed);
  await parts.mailbox.forget(caller.email);
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
    action: 'Close it (POST /api/auth/account/close), or make another member its owner first.',
  });
}

/** Deletes stored answers that show the names of the person and of their API keys. Needs their memberships. */
async function forgetAnswers(trx: Trx, userId: string): Promise<void> {
  const made = trx.selectFrom('api_keys').select(['account_id', 'id']).where('created_by', '=', userId);
  const keys = await made.execute();
  const members = await trx.selectFrom('auth.member').select('account_id').where('user_id', '=', userId).execute();
  const accounts = [...keys, ...members].map(({ account_id }) => account_id);
  const ids = [showId('user', userId), ...keys.map(({ id }) => showId('key', id))].map((id) => `%${id}%`);
  await sql`
    delete from idempotency_keys
    where account_id = any(${accounts}::uuid[]) and answer::text like any(${ids}::text[])`.execute(trx);
  await sql`
    delete from desk_idempotency_keys
    where caller_id = ${userId}
      or (account_id = any(${accounts}::uuid[]) and answer::text like any(${ids}::text[]))`.execute(trx);
}

async function forget(trx: Trx, userId: string, email: string): Promise<void> {
  await dropMails(trx, userId);
  await trx.deleteFrom('auth.credential').where('user_id', '=', userId).execute();
  await trx.deleteFrom('auth.member').where('user_id', '=', userId).execute();
  await forgetInvitations(trx, userId, email);
  await trx.updateTable('api_keys').set({ name: 'Deleted' }).where('created_by', '=', userId).execute();
  await trx.deleteFrom('auth.mail_token').where('user_id', '=', userId).execute();
  await trx.deleteFrom('auth.two_factor').where('user_id', '=', userId).execute();
  await trx
    .updateTable('auth.user')
    .set({
      name: 'Deleted person',
      name_needed: false,
      email: `${userId}@deleted.invalid`,
      email_verified: true,
      second_factor: false,
      known_networks: [],
    })
    .where('id', '=', userId)
    .execute();
}

/** Accepted ones keep who invited whom: the undo of a theft removes everybody whom an accomplice invited. */
async function forgetInvitations(trx: Trx, userId: string, email: string): Promise<void> {
  await trx
    .updateTable('auth.invitation')
    .set({ email: 'somebody@deleted.invalid', token_digest: null })
    .where('status', '=', 'accepted')
    .where((one) => one.or([one('inviter_id', '=', userId), one('accepted_by', '=', userId), one('email', '=', email)]))
    .execute();
  const invitations = await trx
    .deleteFrom('auth.invitation')
    .where('status', '<>', 'accepted')
    .where((one) => one.or([one('inviter_id', '=', userId), one('email', '=', email)]))
    .returning('id')
    .execute();
  await dropInvitationMails(trx, invitations);
}
