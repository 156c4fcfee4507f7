import { sql } from 'kysely';
import type { replayWebhookEvents as endpoint } from '../../contract/developer/webhook-deliveries.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { announce, type Db, type Trx } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { claimedFor } from './claim-deliveries.ts';
import { type EndpointRow, ownedEndpoint } from './webhook-endpoint.ts';

const maxEvents = 10_000;

/** Delivers logged events again, in order. Events beyond the cursor come anyway. */
export async function replayWebhookEvents(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { params, cause } = request;
  const { accountId } = request.caller;
  const { after, failed_only = false } = request.body;
  return withIdempotencyKey(db, request, async (trx) => {
    const row = await ownedEndpoint(trx, accountId, params.id);
    if (row.disabled_reason !== null) throw new Refusal('webhook_endpoint_disabled');
    const hastened = failed_only ? 0 : await tryWaitingNow(trx, row, after);
    const queued = hastened + (await queueAgain(trx, row, after, failed_only));
    announce(trx, accountId);
    const details = { after, queued };
    await appendAudit(trx, cause, { action: 'webhook_endpoint.replayed', subject: params.id, accountId, details });
    return { status: 200, body: { queued } };
  });
}

/** Of events that wait for their next attempt. Those under way are due again sooner than that. */
async function tryWaitingNow(trx: Trx, { account_id, id }: EndpointRow, after: number): Promise<number> {
  const { rows } = await sql`
    update webhook_deliveries set due_at = now()
    where account_id = ${account_id} and endpoint_id = ${id} and done_at is null and id in (
      select d.id from webhook_deliveries d
      where d.account_id = ${account_id} and d.endpoint_id = ${id} and d.done_at is null and not d.once
        and d.seq > ${after} and d.due_at > now() + make_interval(secs => ${claimedFor})
      order by d.seq limit ${maxEvents} for no key update of d skip locked)
    returning id`.execute(trx);
  return rows.length;
}

/** Skips events that already wait for delivery. Failed: given up and not delivered since. */
async function queueAgain(trx: Trx, row: EndpointRow, after: number, failedOnly: boolean): Promise<number> {
  const { rows } = await sql`
    insert into webhook_deliveries (account_id, endpoint_id, seq, event_id, event_type, job_id)
    select v.account_id, ${row.id}, v.seq, v.id, v.type, v.job_id
    from events v
    where v.account_id = ${row.account_id} and v.seq > ${after} and v.seq <= ${row.cursor}
      and v.type <> 'webhook_endpoint.test' and (${row.types}::text[] is null or v.type = any(${row.types}::text[]))
      and not exists (select from webhook_deliveries d where d.account_id = ${row.account_id} and d.endpoint_id = ${row.id}
        and d.seq = v.seq and d.done_at is null)
      and (not ${failedOnly} or coalesce((select bool_and(d.outcome = 'dead') from webhook_deliveries d
        where d.account_id = ${row.account_id} and d.endpoint_id = ${row.id} and d.seq = v.seq), false))
    order by v.seq limit ${maxEvents}
    returning id`.execute(trx);
  return rows.length;
}
