import { sql } from 'kysely';
import type { Role } from '../../contract/plans/roles.ts';
import type { Trx } from '../db/pool.ts';
import { appendEvents, type NewEvent } from '../events/append-events.ts';
import type { Cause } from '../http/request.ts';
import { disabledEvent, endEndpoints } from '../webhooks/disable-endpoint.ts';
import { type EndpointRow, showEndpoint } from '../webhooks/webhook-endpoint.ts';
import { endKeys } from '../keys/api-key.ts';
import { endApps, narrowApps } from '../keys/connected-app.ts';
import { endAllLinks, endLinksOfPerson, endLinksOfRevokedKeys } from '../keys/review-link.ts';
import { settleNews } from '../notifications/notification.ts';
import { invitationsOf, showInvitation } from './invitation.ts';

/**
 * With `since`, only what was made from then on; of webhook endpoints only `endpoints`. A person
 * who `stays` a member keeps their review links, and a reviewer their apps, which only read from then on.
 */
type Lost = {
  accountId: string;
  userId: string;
  heir: string | null;
  since?: Date;
  endpoints?: readonly string[];
  stays?: Role;
};

/**
 * Revokes keys and review links, disables endpoints and cancels invitations, or hands keys, links and
 * endpoints to `heir`. Nobody inherits a connected app.
 */
export async function endAuthority(trx: Trx, lost: Lost, cause: Cause) {
  const { accountId, userId, heir, since, endpoints: ids, stays } = lost;
  const api_keys = await endKeys(trx, accountId, { madeBy: userId, heir, since });
  await endLinksOfRevokedKeys(trx, accountId, cause);
  if (!stays) await endLinksOfPerson(trx, lost, cause);
  const endpoints = await endEndpoints(trx, accountId, { madeBy: ids ? null : userId, heir, ids });
  const invitations = await cancelInvitations(trx, accountId, userId, since);
  await endOrders(trx, accountId, userId, since);
  if (heir === null) await appendEnded(trx, accountId, api_keys, endpoints, cause);
  if (stays === 'reviewer') await narrowApps(trx, { accountId, madeBy: userId }, cause);
  else await endApps(trx, { accountId, madeBy: userId, since }, cause);
  return { api_keys, webhook_endpoints: endpoints.map(showEndpoint), invitations };
}

async function appendEnded(
  trx: Trx,
  accountId: string,
  keys: readonly { id: string }[],
  endpoints: readonly EndpointRow[],
  cause: Cause,
): Promise<void> {
  const revoked = keys.map(({ id }): NewEvent => ({ type: 'api_key.revoked', data: { api_key_id: id } }));
  await appendEvents(trx, accountId, cause, [...revoked, ...endpoints.map(disabledEvent)]);
}

async function cancelInvitations(trx: Trx, accountId: string, inviterId?: string, since?: Date) {
  const canceled = await trx
    .updateTable('invitations')
    .set({ status: 'canceled' })
    .where('account_id', '=', accountId)
    .where('status', '=', 'pending')
    .$if(inviterId !== undefined, (open) => open.where('inviter_id', '=', inviterId ?? ''))
    .$if(since !== undefined, (open) => open.where('created_at', '>=', since ?? new Date(0)))
    .returning('id')
    .execute();
  if (canceled.length === 0) return [];
  const ids = canceled.map(({ id }) => id);
  return (await invitationsOf(trx, accountId).where('id', 'in', ids).orderBy('id').execute()).map(showInvitation);
}

/** What waits to be confirmed loses its maker. */
async function endOrders(trx: Trx, accountId: string, userId: string, since = new Date(0)): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update orders set status = 'ended'
    where account_id = ${accountId} and created_by_user = ${userId} and status = 'waiting'
      and created_at >= ${since}
    returning id`.execute(trx);
  const ended = rows.map(({ id }) => id);
  await settleNews(trx, accountId, 'order_waiting', ended);
}

/** Also ends everybody else's access to the accounts that they own, or to those in `whole`. */
export async function endAllOf(trx: Trx, userId: string, cause: Cause, whole?: readonly string[]): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute();
  const memberships = await trx
    .selectFrom('members')
    .select(['account_id', 'role'])
    .where('user_id', '=', userId)
    .orderBy('account_id')
    .forUpdate()
    .execute();
  for (const { account_id: accountId, role } of memberships) {
    if (!(whole?.includes(accountId) ?? role === 'owner'))
      await endAuthority(trx, { accountId, userId, heir: null }, cause);
    else await endAccess(trx, accountId, userId, cause);
  }
}

export async function endAccess(trx: Trx, accountId: string, userId: string, cause: Cause): Promise<void> {
  await trx.deleteFrom('members').where('account_id', '=', accountId).where('user_id', '!=', userId).execute();
  const keys = await endKeys(trx, accountId, { heir: null });
  await endAllLinks(trx, accountId, cause);
  const endpoints = await endEndpoints(trx, accountId, { madeBy: null, heir: null });
  await cancelInvitations(trx, accountId);
  await appendEnded(trx, accountId, keys, endpoints, cause);
  await endApps(trx, { accountId }, cause);
}
