import { sql } from 'kysely';
import type { readWebhookDelivery as endpoint } from '../../contract/developer/webhook-deliveries.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type DeliveryRow, ownedDelivery, showDelivery } from './webhook-delivery.ts';

type AttemptRow = { at: Date; status: number | null; error: string | null; ms: number; answer: string | null };

export async function readWebhookDelivery(
  { db }: { db: Db },
  { caller, params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const row = await ownedDelivery(db, caller.accountId, params.id);
  const attempts = (await attemptsOf(db, row)).map(({ at, ...attempt }) => ({ sent_at: at.toISOString(), ...attempt }));
  return { status: 200, body: { webhook_delivery: { ...showDelivery(row), attempts } } };
}

async function attemptsOf(db: Db, { account_id, endpoint_id, id }: DeliveryRow): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select at, status, error, ms, answer from webhook_attempts
    where account_id = ${account_id} and endpoint_id = ${endpoint_id} and delivery_id = ${id}
    order by attempt`.execute(db);
  return rows;
}
