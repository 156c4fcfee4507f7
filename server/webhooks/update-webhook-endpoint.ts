import { sql } from 'kysely';
import type { AnswerOf, Body } from '../../contract/endpoint.ts';
import type { updateWebhookEndpoint as endpoint } from '../../contract/developer/webhooks.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Trx, Db } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Request, SessionCaller } from '../http/request.ts';
import { badBody } from '../http/refusal.ts';
import { lockManager } from '../keys/lock-caller.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { acceptUrl, type EndpointRow, ownedEndpoint, showEndpoint } from './webhook-endpoint.ts';
import type { ReceiverRules } from './receiver-address.ts';

/** Changes the given fields. `by_person` records that a person disabled it; enabling resets its failures. */
export async function updateWebhookEndpoint(
  { db, receivers }: { db: Db; receivers: ReceiverRules },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  if (body.resume !== undefined && body.enabled !== true)
    throw badBody([{ location: '/resume', message: 'goes with "enabled": true' }]);
  return withIdempotencyKey(db, request, async (trx) => {
    const url = body.url === undefined ? undefined : acceptUrl(receivers, body.url);
    await lockManager(trx, caller);
    const before = await ownedEndpoint(trx, caller.accountId, params.id);
    await change(trx, before, { ...body, ...(url === undefined ? {} : { url }) });
    if (body.enabled === true && before.disabled_reason !== null) await enable(trx, before, caller, body.resume);
    if (body.enabled === false) await disableEndpoint(trx, before, 'by_person', cause);
    const { accountId } = caller;
    await appendAudit(trx, cause, { action: 'webhook_endpoint.updated', subject: params.id, accountId });
    return {
      status: 200,
      body: { webhook_endpoint: showEndpoint(await ownedEndpoint(trx, caller.accountId, params.id)) },
    };
  });
}

async function change(trx: Trx, before: EndpointRow, body: Body<typeof endpoint>): Promise<void> {
  const { url = before.url, description = before.description, types = before.types } = body;
  await sql`
    update webhook_endpoints
    set url = ${url}, description = ${description || null}, types = ${types}
    where account_id = ${before.account_id} and id = ${before.id}`.execute(trx);
}

/** The person who enables an endpoint becomes responsible for it. */
async function enable(
  trx: Trx,
  { account_id, id, disabled_reason }: EndpointRow,
  { userId }: SessionCaller,
  resume: 'where_it_stopped' | 'now' = 'where_it_stopped',
): Promise<void> {
  await sql`
    update webhook_endpoints e
    set disabled_reason = null, failing_since = null, warned_at = null,
      created_by = case when ${disabled_reason === 'creator_left'} then ${userId} else created_by end,
      cursor = case when ${resume === 'now'} then c.last_event else cursor end
    from account_counters c
    where e.account_id = ${account_id} and e.id = ${id} and c.account_id = ${account_id}`.execute(trx);
}
