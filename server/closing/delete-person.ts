import { sql } from 'kysely';
import type { deletePerson as endpoint } from '../../contract/people/personal-data.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, lockCounters, transact, type Trx } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import type { Auth } from '../sign-in/auth.ts';
import { endAllOf } from '../members/end-authority.ts';
import { forgetImportedPerson } from '../members/imported-person.ts';
import { refuseWhileUndoable } from '../mail/mail-token.ts';
import type { RemoveFilesOf } from '../files/remove-files-of.ts';
import { accountUse, useRefusal } from './account-use.ts';
import { eraseAccount } from './erase-account.ts';
import { lockAccess } from './lock-access.ts';
import { proveIdentity } from '../sign-in/prove-identity.ts';
import type { Mailbox } from '../mail/mailbox.ts';
import { dropInvitationMails, dropMails } from '../mail/outbox.ts';

type Dependencies = {
  auth: Auth;
  db: Db;
  graceHours: number;
  mailbox: Mailbox;
  rates: RateLimiter<'prove_identity'>;
  removeFilesOf: RemoveFilesOf;
};

/** The nameless row stays, because jobs, notes and the audit log refer to it. */
export async function deletePerson(
  dependencies: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { auth, db, graceHours } = dependencies;
  const { caller, body, cause } = request;
  const { userId } = caller;
  if (caller.operatorRole)
    throw new Refusal('invalid_request', {
      message: 'You are an operator of the studio.',
      action: 'Ask the studio to remove you from the operators first.',
    });
  await proveIdentity(dependencies, request, { location: '/password', password: body.password, code: body.code });
  const closed = await transact(db, async (trx) => {
    await refuseWhileUndoable(trx, userId);
    const owned = await lockOwnedAlone(trx, userId);
    for (const accountId of owned) await refuseWhereBusy(trx, accountId, graceHours);
    await endAllOf(trx, userId, cause, owned);
    for (const accountId of owned) await eraseAccount(trx, accountId);
    await forgetAnswers(trx, userId, caller.email);
    const left = await forget(trx, userId, caller.email);
    for (const accountId of left) await eraseAccount(trx, accountId);
    await appendAudit(trx, cause, { action: 'user.deleted', subject: showId('user', userId), accountId: null });
    return [...owned, ...left];
  });
  await dependencies.removeFilesOf(closed);
  await dependencies.mailbox.forget(caller.email);
  return { status: 200, body: { done: true }, headers: { 'set-cookie': auth.endCookie } };
}

/** Locks the members, so that no other owner can leave before the commit. */
async function lockOwnedAlone(trx: Trx, userId: string): Promise<string[]> {
  const members = await trx
    .selectFrom('members')
    .select(['account_id', 'user_id', 'role'])
    .where('account_id', 'in', (own) => own.selectFrom('members').select('account_id').where('user_id', '=', userId))
    .orderBy('id')
    .forUpdate()
    .execute();
  const owners = members.filter(({ role }) => role === 'owner');
  const mine = owners.filter(({ user_id }) => user_id === userId).map(({ account_id }) => account_id);
  return mine.filter((id) => !owners.some(({ account_id, user_id }) => account_id === id && user_id !== userId));
}

/** Locks the account, as creating a job and granting a plan do, so neither can happen before the commit. */
async function refuseWhereBusy(trx: Trx, accountId: string, graceHours: number): Promise<void> {
  await lockAccess(trx, accountId);
  await lockCounters(trx, accountId);
  const { rows } = await sql<{ name: string; busy: boolean }>`
    select name, exists (select from jobs where account_id = ${accountId}) as busy
    from accounts where id = ${accountId}`.execute(trx);
  const plans = useRefusal({ ...(await accountUse(trx, accountId, graceHours)), reviews: [] });
  if (!rows[0] || !(rows[0].busy || plans)) return;
  throw new Refusal('invalid_request', {
    message: `You are the last owner of the account "${rows[0].name}", which has jobs or a plan.${plans ? ` ${plans.message}` : ''}`,
    action: 'Close it (POST /api/auth/account/close), or make another member its owner first.',
  });
}

/** Deletes stored answers that show the person, their address or keys. Needs memberships and invitations. */
async function forgetAnswers(trx: Trx, userId: string, email: string): Promise<void> {
  const { rows: accounts } = await sql<{ account_id: string }>`
    select account_id from api_keys where created_by = ${userId}
    union select account_id from members where user_id = ${userId}
    union select account_id from invitations where email = ${email}`.execute(trx);
  const keys = await trx.selectFrom('api_keys').select('id').where('created_by', '=', userId).execute();
  const words = [showId('user', userId), ...keys.map(({ id }) => showId('key', id)), email];
  const ids = accounts.map(({ account_id }) => account_id);
  const shows = sql`exists (select from unnest(${words}::text[]) word where strpos(answer::text, word) > 0)`;
  for (const id of ids) await sql`delete from idempotency_keys where account_id = ${id} and ${shows}`.execute(trx);
  await sql`
    delete from caller_idempotency_keys
    where caller_id = ${userId} or (account_id = any(${ids}::uuid[]) and ${shows})
      or (route = 'POST /api/operator/v1/operator-invitations' and ${shows})`.execute(trx);
}

async function forgetMarks(trx: Trx, userId: string): Promise<void> {
  const marked = trx.selectFrom('job_readers').select('account_id').distinct().where('user_id', '=', userId);
  for (const { account_id } of await marked.execute())
    await trx
      .deleteFrom('job_readers')
      .where((row) => row.and({ account_id, user_id: userId }))
      .execute();
}

/** Returns imported accounts in which nobody is left. */
async function forget(trx: Trx, userId: string, email: string): Promise<string[]> {
  await dropMails(trx, userId);
  await trx.deleteFrom('notifications').where('user_id', '=', userId).execute();
  await trx.deleteFrom('notification_choices').where('user_id', '=', userId).execute();
  await trx.deleteFrom('credentials').where('user_id', '=', userId).execute();
  await trx.deleteFrom('members').where('user_id', '=', userId).execute();
  await trx.deleteFrom('review_lookers').where('user_id', '=', userId).execute();
  await forgetMarks(trx, userId);
  await forgetInvitations(trx, userId, email);
  const left = await forgetImportedPerson(trx, userId, email);
  await trx.updateTable('api_keys').set({ name: 'Deleted' }).where('created_by', '=', userId).execute();
  await trx.updateTable('review_links').set({ name: 'Deleted' }).where('created_by_user', '=', userId).execute();
  await trx.deleteFrom('mail_tokens').where('user_id', '=', userId).execute();
  await forgetApps(trx, userId);
  await trx.deleteFrom('two_factors').where('user_id', '=', userId).execute();
  await trx
    .updateTable('people')
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
  return left;
}

/** Their grants ended before; the hashes of their tokens name nobody but them. */
async function forgetApps(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('oauth_access_tokens').where('user_id', '=', userId).execute();
  await trx.deleteFrom('oauth_refresh_tokens').where('user_id', '=', userId).execute();
  await trx.deleteFrom('oauth_device_codes').where('user_id', '=', userId).execute();
}

/** Accepted invitations stay: undoing a theft removes everybody whom an accomplice invited. */
async function forgetInvitations(trx: Trx, userId: string, email: string): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ email: 'somebody@deleted.invalid', token_digest: null })
    .where('status', '=', 'accepted')
    .where((eb) => eb.or([eb('inviter_id', '=', userId), eb('accepted_by', '=', userId), eb('email', '=', email)]))
    .execute();
  const invitations = await trx
    .deleteFrom('invitations')
    .where('status', '<>', 'accepted')
    .where((eb) => eb.or([eb('inviter_id', '=', userId), eb('email', '=', email)]))
    .returning('id')
    .execute();
  await dropInvitationMails(trx, invitations);
  await trx.deleteFrom('operator_invitations').where('email', '=', email).execute();
}
