import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import { appendEvents, type NewEvent } from '../events/append-events.ts';
import type { Cause } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { type DisabledReason, endpointColumns, type EndpointRow } from './webhook-endpoint.ts';

type Key = Pick<EndpointRow, 'account_id' | 'id'>;

/** Disables an enabled endpoint, with an event. The cursor stays, and deliveries under way continue. */
export async function disableEndpoint(trx: Trx, key: Key, reason: DisabledReason, cause: Cause): Promise<boolean> {
  const { rows } = await sql`
    update webhook_endpoints set disabled_reason = ${reason}
    where account_id = ${key.account_id} and id = ${key.id} and disabled_reason is null
    returning id`.execute(trx);
  if (rows.length === 0) return false;
  await appendEvents(trx, key.account_id, cause, [disabledEvent(key)]);
  return true;
}

type Ended = { madeBy: string | null; heir: string | null; ids?: readonly string[] | undefined };

/** Or hands them to `heir`. `madeBy: null`: everybody. The caller appends the returned events last. */
export async function endEndpoints(trx: Trx, accountId: string, { madeBy, heir, ids }: Ended): Promise<EndpointRow[]> {
  const change = heir === null ? sql`disabled_reason = 'creator_left'` : sql`created_by = ${heir}`;
  const { rows } = await sql<EndpointRow>`
    update webhook_endpoints e set ${change}
    where account_id = ${accountId} and (${madeBy}::uuid is null or created_by = ${madeBy}::uuid)
      and (${ids ?? null}::uuid[] is null or id = any(${ids ?? null}::uuid[]))
      and (${heir}::uuid is not null or disabled_reason is null)
    returning ${endpointColumns}`.execute(trx);
  return rows;
}

export const disabledEvent = ({ id }: Pick<EndpointRow, 'id'>): NewEvent => ({
  type: 'webhook_endpoint.disabled',
  data: { webhook_endpoint_id: showId('hook', id) },
});
