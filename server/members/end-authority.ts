import type { Trx } from '../db/pool.ts';
import { appendEvents, type NewEvent } from '../events/append-events.ts';
import type { Cause } from '../http/cause.ts';
import { disabledEvent, endEndpoints } from '../webhooks/disable-endpoint.ts';
import { type EndpointRow, showEndpoint } from '../webhooks/webhook-endpoint.ts';
import { endKeys } from '../keys/api-key.ts';
import { invitationsOf, showInvitation } from './invitation.ts';

/** `since`: only what they made from then on, and of webhook endpoints only `endpoints`. */
type Lost = { accountId: string; userId: string; heir: string | null; since?: Date; endpoints?: readonly string[] };

/**
 * What somebody made that gives access to an account ends with their right to make it: their API keys are revoked and their
 * webhook endpoints disabled, or both become those of `heir`, and the invitations that they sent are canceled.
 */
export async function endAuthority(trx: Trx, { accountId, userId, heir, since, endpoints: ids }: Lost, cause: Cause) {
  const api_keys = await endKeys(trx, accountId, { madeBy: userId, heir, since });
  const endpoints = await endEndpoints(trx, accountId, { madeBy: ids ? null : userId, heir, ids });
  const invitations = await cancelInvitations(trx, accountId, userId, since);
  if (heir === null) await appendEnded(trx, accountId, api_keys, endpoints, cause);
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

/** Open invitations of an account; those of one inviter where one is named. */
async function cancelInvitations(trx: Trx, accountId: string, inviterId?: string, since?: Date) {
  const canceled = await trx
    .updateTable('auth.invitation')
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

/**
 * Ends all that was made in a person's name: sessions, and what gives access to accounts. Of those that they own, or of
 * `whole` ones where these are named, other members and what these made end, too.
 */
export async function endAllOf(trx: Trx, userId: string, cause: Cause, whole?: readonly string[]): Promise<void> {
  await trx.deleteFrom('auth.session').where('user_id', '=', userId).execute();
  const memberships = await trx
    .selectFrom('auth.member')
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

/** Ends everybody's access to an account but that of one person's membership. */
export async function endAccess(trx: Trx, accountId: string, userId: string, cause: Cause): Promise<void> {
  await trx.deleteFrom('auth.member').where('account_id', '=', accountId).where('user_id', '!=', userId).execute();
  const keys = await endKeys(trx, accountId, { heir: null });
  const endpoints = await endEndpoints(trx, accountId, { madeBy: null, heir: null });
  await cancelInvitations(trx, accountId);
  await appendEnded(trx, accountId, keys, endpoints, cause);
}
