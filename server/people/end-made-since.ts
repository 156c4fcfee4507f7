import { sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import type { Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { endStudioApps } from '../keys/studio-app.ts';
import { endWorkerKeys } from '../keys/worker-key.ts';
import { readId, showId } from '../lib/id.ts';
import { endAuthority } from '../members/end-authority.ts';
import { endOperatorInvitations } from '../members/operator-invitation.ts';
import { joinedSince } from '../members/joined-since.ts';
import { removeSecondFactor } from '../sign-in/second-factor.ts';

/**
 * Ends everything made in a person's name since the change that they undo: sessions, second factor, API keys,
 * webhook endpoints, invitations, members who joined by them, and an operator's worker keys, invitations and
 * apps of the studio. Jobs held by those keys return to the queue when their leases expire.
 */
export async function endMadeSince(trx: Trx, userId: string, since: Date, cause: Cause): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute();
  await removeNewSecondFactor(trx, userId, since, cause);
  await revokeWorkerKeys(trx, userId, since, cause);
  const invited = { by: { inviterId: userId, since }, because: 'inviter_ended' } as const;
  await endOperatorInvitations(trx, invited, { ...cause, userId });
  await trx.deleteFrom('calendars').where('user_id', '=', userId).where('created_at', '>=', since).execute();
  const registered = sql`c.registered_by = ${userId} and c.created_at >= ${since}`;
  await endStudioApps(trx, registered, { ...cause, userId });
  for (const accountId of await lockAccounts(trx, userId, since)) {
    for (const intruder of await joinedSince(trx, accountId, userId, since)) {
      await trx.deleteFrom('members').where('account_id', '=', accountId).where('user_id', '=', intruder).execute();
      await endAuthority(trx, { accountId, userId: intruder, heir: null }, cause);
      const subject = showId('user', intruder);
      await appendAudit(trx, { ...cause, userId }, { action: 'member.removed', subject, accountId });
    }
    const endpoints = await endpointsChangedSince(trx, accountId, userId, since);
    await endAuthority(trx, { accountId, userId, heir: null, since, endpoints }, cause);
  }
}

/** Includes accounts from which another owner has since removed them. */
async function lockAccounts(trx: Trx, userId: string, since: Date): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    with own as (select account_id from members where user_id = ${userId} order by account_id for update)
    select account_id from own
    union select account_id from invitations where inviter_id = ${userId} and created_at >= ${since}
    order by account_id`.execute(trx);
  return rows.map(({ account_id }) => account_id);
}

async function removeNewSecondFactor(trx: Trx, userId: string, since: Date, cause: Cause): Promise<void> {
  const added = await trx
    .selectFrom('two_factors')
    .select('id')
    .where('user_id', '=', userId)
    .where(sql<boolean>`coalesce(confirmed_at, 'infinity') >= ${since}`)
    .executeTakeFirst();
  if (added) await removeSecondFactor(trx, userId, { ...cause, userId });
}

async function revokeWorkerKeys(trx: Trx, userId: string, since: Date, cause: Cause): Promise<void> {
  const details = { creator_id: showId('user', userId) };
  for (const id of await endWorkerKeys(trx, userId, since)) {
    const subject = showId('wkey', id);
    await appendAudit(trx, { ...cause, userId }, { action: 'worker_key.revoked', subject, accountId: null, details });
  }
}

/** Includes endpoints whose URL or secret they changed. Only the audit log knows when. */
async function endpointsChangedSince(trx: Trx, accountId: string, userId: string, since: Date): Promise<string[]> {
  const rows = await trx
    .selectFrom('audit_log')
    .select('subject')
    .distinct()
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .where('action', 'in', ['webhook_endpoint.created', 'webhook_endpoint.updated', 'webhook_endpoint.secret_rotated'])
    .execute();
  return rows.flatMap(({ subject }) => readId('hook', subject) ?? []);
}
