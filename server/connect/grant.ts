import { sql } from 'kysely';
import { maxAppsOfPerson } from '../../contract/developer/connected-apps.ts';
import type { Scope } from '../../contract/endpoint.ts';
import { cliClientId } from '../../contract/developer/oauth.ts';
import { manages, type Role } from '../../contract/plans/roles.ts';
import { databaseTime, type Trx } from '../db/pool.ts';
import { appendEvents } from '../events/append-events.ts';
import type { Cause } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { endApps } from '../keys/connected-app.ts';
import { insertKey } from '../keys/new-key.ts';
import { showId } from '../lib/id.ts';
import { queueMail } from '../mail/outbox.ts';

export type NewGrant = {
  userId: string;
  accountId: string;
  clientId: string;
  name: string;
  scopes: readonly Scope[];
  days: number;
};

/** Makes a grant in the account of a member, who is told by mail. Returns its id. */
export async function makeGrant(trx: Trx, grant: NewGrant, lead: string, cause: Cause): Promise<string> {
  await refuseMember(trx, grant);
  await endReplaced(trx, grant, cause);
  await refuseBeyondCap(trx, grant.userId);
  const { id } = await insertKey(trx, lead, {
    account_id: grant.accountId,
    created_by: grant.userId,
    name: grant.name,
    scopes: [...grant.scopes],
    expires_at: new Date((await databaseTime(trx)).getTime() + grant.days * 86_400_000),
    app_client_id: grant.clientId,
  });
  await queueMail(trx, { kind: 'app_connected', userId: grant.userId, data: { grant_id: id } });
  const data = { api_key_id: showId('key', id) };
  await appendEvents(trx, grant.accountId, cause, [{ type: 'api_key.created', data }]);
  return id;
}

/** Locks the member, so that somebody who is being removed or demoted leaves no grant behind. */
async function refuseMember(trx: Trx, { accountId, userId, scopes }: NewGrant): Promise<void> {
  const { rows } = await sql<{ role: Role; suspended: boolean }>`
    select m.role, a.suspended_since is not null as suspended
    from members m join accounts a on a.id = m.account_id
    where m.account_id = ${accountId} and m.user_id = ${userId} for share of m`.execute(trx);
  const [member] = rows;
  if (!member) throw new Refusal('account_not_found');
  if (member.suspended) throw new Refusal('account_suspended');
  if (!manages(member.role) && scopes.includes('api:write'))
    throw new Refusal('role_required', { message: 'Only owners and admins of the account can let an app order.' });
}

/**
 * Those whose app never came for its token, or never used it, and those that the new one widens: an app that
 * asks for more replaces its tokens. Each machine keeps the tokens of its own command line.
 */
async function endReplaced(trx: Trx, grant: NewGrant, cause: Cause): Promise<void> {
  const { accountId, userId, clientId, scopes } = grant;
  const { rows } = await sql<{ id: string }>`
    select id from api_keys
    where account_id = ${accountId} and created_by = ${userId} and app_client_id = ${clientId} and revoked_at is null
      and (last_used_at is null
        or app_client_id <> ${cliClientId} and scopes <@ ${scopes} and not scopes @> ${scopes})`.execute(trx);
  for (const { id } of rows) await endApps(trx, { accountId, id }, cause);
}

/** Locks the person, so that grants made at the same time are counted. */
async function refuseBeyondCap(trx: Trx, userId: string): Promise<void> {
  await sql`select from people where id = ${userId} for no key update`.execute(trx);
  const { active } = await trx
    .selectFrom('api_keys')
    .select(sql<number>`count(*)::int`.as('active'))
    .where('created_by', '=', userId)
    .where('app_client_id', 'is not', null)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirstOrThrow();
  if (active < maxAppsOfPerson) return;
  throw new Refusal('limit_reached', {
    message: `You have ${active} connected apps; a person may have ${maxAppsOfPerson}.`,
    action: 'End one that is no longer used; GET /api/auth/connected-apps shows when each was last used.',
  });
}
