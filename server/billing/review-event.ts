import { sql } from 'kysely';
import type { reviewEvent as endpoint } from '../../contract/desk/provider-events.ts';
import { eventId } from '../../contract/plans/posted-event.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Cause, Request } from '../http/request.ts';
import type { Trx, Db } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { Refusal } from '../http/refusal.ts';
import { judgeAndApply } from './apply-event.ts';
import { type Terms, termsOf } from './verify-terms.ts';
import { keptEvents, showEvent } from './kept-event.ts';
import { type Payload } from './payload.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Catalog } from '../catalog/catalog.ts';
import type { Provider } from './provider.ts';

type Dependencies = {
  db: Db;
  log: FastifyBaseLogger;
  catalog: Catalog;
  provider: Provider;
  config: { servesUncollected: boolean };
};

/** Re-evaluates an ignored event, from what is stored, by the same rules, and records who asked. */
export async function reviewEvent(
  dependencies: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { db, log } = dependencies;
  const { caller, params, cause } = request;
  const { id } = params;
  const terms = termsOf(dependencies);
  const answer = await withIdempotencyKey(db, request, async (trx) => {
    const stored = await lockEvent(trx, id);
    if (isUnsettled(stored)) await reevaluate(trx, stored, terms, cause);
    const [event] = await keptEvents(trx, sql`e.id = ${id}`, 1);
    if (!event) throw new Error('A locked event vanished.');
    return {
      status: 200 as const,
      body: { provider_event: showEvent(dependencies.provider, event) },
      accountId: event.account_id,
    };
  });
  const { outcome, reason } = answer.body.provider_event;
  log.info({ provider_event: id, operator: caller.userId, outcome, reason }, 'provider event reviewed');
  return answer;
}

type StoredEvent = {
  id: string;
  type: string;
  outcome: string;
  plan_code: string | null;
  payload: unknown;
  created_at: Date;
};

/** A paid invoice counts under no plan until the catalog knows its price. */
const isUnsettled = ({ type, outcome, plan_code }: StoredEvent) =>
  outcome === 'ignored' || (type === 'invoice.paid' && plan_code === null);

async function lockEvent(trx: Trx, id: string): Promise<StoredEvent> {
  const events = trx
    .selectFrom('provider_events')
    .select(['id', 'type', 'outcome', 'plan_code', 'payload', 'created_at']);
  const row = eventId.test(id) ? await events.where('id', '=', id).forUpdate().executeTakeFirst() : undefined;
  if (!row) throw new Refusal('provider_event_not_found');
  return row;
}

async function reevaluate(trx: Trx, event: StoredEvent, terms: Terms, cause: Cause): Promise<void> {
  const { accountId, reason } = await judgeAndApply(trx, event.payload as Payload, event.created_at, terms);
  const outcome = reason === null ? 'processed' : 'ignored';
  await trx
    .updateTable('provider_events')
    .set({ outcome, reason, account_id: accountId })
    .where('id', '=', event.id)
    .execute();
  await trx
    .insertInto('provider_event_reviews')
    .values({ event_id: event.id, reviewed_by: cause.userId ?? '', outcome, reason })
    .execute();
  const details = { outcome, ...(reason === null ? {} : { reason }) };
  await appendAudit(trx, cause, { action: 'provider_event.reviewed', subject: event.id, accountId, details });
}
