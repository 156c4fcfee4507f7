import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import pLimit from 'p-limit';
import type { receiveWebhook as endpoint } from '../../contract/plans/billing.ts';
import { settledReasons } from '../../contract/desk/provider-events.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit, type AuditCause } from '../audit/append-audit.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { judgeAndApply } from './apply-event.ts';
import { createdAt, faultOf, objectOf, type Payload, readPayload } from './payload.ts';
import { invoiceEvent, subscriptionEvent } from './provider-event.ts';
import { checkSignature } from './signature.ts';
import { tellOfEvent } from './tell-studio.ts';
import type { Reason, Terms } from './verify-terms.ts';
import type { WebhookSignatures } from './webhook-signatures.ts';

type Post = { signature: string | null; body: Buffer; cause: AuditCause };
type Rules = Terms & { secrets: readonly string[]; signatures: Pick<WebhookSignatures, 'accepted' | 'refused'> };

/** Events of one account wait for each other on a connection, so they must not use up the pool. */
const limitConcurrency = pLimit(4);

/** Verifies the signature over the raw bytes first. A fault stores nothing; the provider sends again. */
export async function receiveWebhook(
  db: Db,
  log: FastifyBaseLogger,
  rules: Rules,
  { signature, body, cause }: Post,
): Promise<AnswerOf<typeof endpoint>> {
  const verdict = checkSignature(signature, body, rules.secrets, new Date());
  if (verdict.outcome !== 'accepted') {
    rules.signatures.refused(verdict);
    throw new Refusal('invalid_signature'); // which of the checks failed is for the operator alone
  }
  const payload = readPayload(body);
  rules.signatures.accepted(verdict, payload.livemode === !rules.livemode);
  const created = createdAt(payload, verdict.at);
  const { status, reason } = await limitConcurrency(() =>
    transact(db, (trx) => record(trx, payload, created, rules, cause)),
  );
  if (reason !== null) {
    const level = settledReasons.includes(reason) ? 'info' : 'warn';
    log[level]({ provider_event: payload.id, type: payload.type, reason }, `provider event: ${status}`);
  }
  return { status: 200, body: { received: true, status } };
}

type Outcome = { status: 'processed' | 'duplicate' | 'ignored'; reason: Reason | 'another body' | null };

/** Inserts the id first, so that copies of an event wait for the first one and then find it. */
async function record(trx: Trx, payload: Payload, created: Date, terms: Terms, cause: AuditCause): Promise<Outcome> {
  const { id, type } = payload;
  const fault = faultOf(payload);
  const object = fault === null ? subjectOf(payload, created) : null;
  const recorded = await trx
    .insertInto('provider_events')
    .values({
      id,
      type,
      livemode: fault === null && payload.livemode,
      outcome: 'ignored',
      reason: 'unsupported type' satisfies Reason, // until it is judged
      customer: object?.customer ?? null,
      subscription: object?.subscription ?? null,
      payload: JSON.stringify(payload),
      created_at: created,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!recorded) return { status: 'duplicate', reason: await differenceFromFirst(trx, payload) };

  const { accountId, reason } = await judgeAndApply(trx, payload, created, terms);
  const outcome = reason === null ? 'processed' : 'ignored';
  await trx
    .updateTable('provider_events')
    .set({ outcome, reason, account_id: accountId })
    .where('id', '=', id)
    .execute();
  await appendAudit(trx, cause, {
    action: `provider_event.${outcome}`,
    subject: id,
    accountId,
    details: { type, ...(reason === null ? {} : { reason }) },
  });
  await tellOfEvent(trx, payload, { accountId, reason });
  return { status: outcome, reason };
}

/** The subscription and the customer that the event is about. */
function subjectOf(payload: Payload, created: Date): { subscription: string | null; customer: string | null } {
  const event = subscriptionEvent(payload, created) ?? invoiceEvent(payload, created);
  const { customer = null } = event ?? objectOf(payload, 'charge') ?? {};
  return { subscription: event?.subscription ?? null, customer };
}

/**
 * Somebody with the secret reused an event id for other content. The first event stands. Less of it may be
 * stored: an older version kept fewer fields, and what another product said is deleted after a time.
 */
async function differenceFromFirst(trx: Trx, payload: Payload): Promise<'another body' | null> {
  const { rows } = await sql`
    select from provider_events where id = ${payload.id} and payload <@ ${JSON.stringify(payload)}::jsonb`.execute(trx);
  return rows.length > 0 ? null : 'another body';
}
