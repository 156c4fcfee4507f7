import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { AccountEventType } from '../../contract/jobs/events.ts';
import type { deliveryStatuses, WebhookDelivery } from '../../contract/developer/webhook-deliveries.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { readId, showId } from '../lib/id.ts';
import type { EndpointRow } from './webhook-endpoint.ts';

export type DeliveryRow = {
  account_id: string;
  endpoint_id: string;
  id: string;
  seq: string;
  event_id: string;
  event_type: AccountEventType;
  job_id: string | null;
  attempts: number;
  due_at: Date;
  created_at: Date;
  done_at: Date | null;
  outcome: 'delivered' | 'dead' | null;
};

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The status that `showDelivery` shows. */
export const deliveryStatus = sql<DeliveryStatus>`coalesce(d.outcome, case when d.attempts = 0 then 'pending' else 'retrying' end)`;

export const showDelivery = (row: DeliveryRow): Static<typeof WebhookDelivery> => ({
  id: showId('dlv', row.id),
  webhook_endpoint_id: showId('hook', row.endpoint_id),
  event: { id: showId('evt', row.event_id), seq: Number(row.seq), type: row.event_type },
  status: row.outcome ?? (row.attempts === 0 ? 'pending' : 'retrying'),
  attempt_count: row.attempts,
  next_attempt_at: row.done_at === null ? row.due_at.toISOString() : null,
  created_at: row.created_at.toISOString(),
  finished_at: row.done_at?.toISOString() ?? null,
});

type About = Pick<DeliveryRow, 'seq' | 'event_id' | 'event_type' | 'job_id'>;

/** Tried once, regardless of waiting events and of whether the endpoint is enabled. */
export async function deliverOnce(trx: Db | Trx, endpoint: Pick<EndpointRow, 'account_id' | 'id'>, event: About) {
  const { rows } = await sql<DeliveryRow>`
    insert into webhook_deliveries (account_id, endpoint_id, seq, event_id, event_type, job_id, once)
    values (${endpoint.account_id}, ${endpoint.id}, ${event.seq}, ${event.event_id}, ${event.event_type},
      ${event.job_id}, true)
    returning *`.execute(trx);
  if (!rows[0]) throw new Error('A delivery was not inserted.');
  return rows[0];
}

export async function ownedDelivery(db: Db | Trx, accountId: string, id: string): Promise<DeliveryRow> {
  const { rows } = await sql<DeliveryRow>`
    select * from webhook_deliveries
    where account_id = ${accountId} and id = ${readId('dlv', id)}
      and endpoint_id in (select id from webhook_endpoints where account_id = ${accountId})`.execute(db);
  if (!rows[0]) throw new Refusal('webhook_delivery_not_found');
  return rows[0];
}
