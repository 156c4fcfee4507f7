import { sql } from 'kysely';
import { readInstructions } from '../../contract/jobs/instructions.ts';
import { studioNames, valuesOf } from '../../contract/jobs/optional-fields.ts';
import { mostWaitingOrders } from '../../contract/ordering/order-bounds.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { keptFor } from '../db/idempotency.ts';
import { lockAccount, type Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { type Caller, kindOf } from '../http/request.ts';
import { draftFrom } from '../intake/draft-from-order.ts';
import { insertReadySession, refuseTooMany } from '../intake/session.ts';
import { refusalFor, wishTooEarly } from '../jobs/admission.ts';
import { forecastAdmission } from '../jobs/admission-statement.ts';
import type { KeepOrder, OrderToConfirm } from '../jobs/confirmation.ts';
import { needOf } from '../jobs/draft.ts';
import { type FileRow, unattachedFiles } from '../jobs/job-file.ts';
import { lockCaller } from '../keys/lock-caller.ts';
import { newId, showId } from '../lib/id.ts';
import { type OrderRow, ordersWhere, ownedOrder, statusOfOrder } from './order.ts';
import { refusalOf } from './refusal-of-order.ts';
import { tellManagers } from './tell-of-orders.ts';

/** A repeated request keeps nothing new. All other refusals of create come first. */
export const createKeepOrder =
  (graceHours: number): KeepOrder =>
  async (trx, order) => {
    const { caller, cause, fileIds } = order;
    const { accountId } = caller;
    await lockMaker(trx, caller);
    await lockAccount(trx, accountId);
    const earlier = await earlierOrder(trx, order);
    if (earlier) return refusalOf(trx, earlier);
    const files = await unattachedFiles(trx, accountId, fileIds);
    await refuseUnlessAdmitted(trx, order, graceHours);
    await refuseBeyondCap(trx, accountId);
    const sessionId = 'body' in order.from ? await draftOf(trx, order, files) : order.from.sessionId;
    const id = await insertOrder(trx, order, sessionId);
    const row = await ownedOrder(trx, accountId, showId('ord', id));
    await tellManagers(trx, row);
    await appendAudit(trx, cause, { action: 'order.kept', subject: showId('ord', id), accountId });
    return refusalOf(trx, row);
  };

/** So that somebody who is being removed, or made a reviewer, leaves no order behind. */
async function lockMaker(trx: Trx, caller: Caller): Promise<void> {
  await lockCaller(trx, caller);
  if (caller.method !== 'session') return;
  const { rows } = await sql`
    select from members
    where account_id = ${caller.accountId} and user_id = ${caller.userId} and role <> 'reviewer'`.execute(trx);
  if (rows.length === 0) throw new Refusal('role_required');
}

/** The same request, or the same version of the same draft. */
async function earlierOrder(trx: Trx, { caller, request, from }: OrderToConfirm): Promise<OrderRow | null> {
  const { route, key, fingerprint } = request;
  const byKey = sql`o.route = ${route} and o.key = ${key} and o.created_at > now() - ${keptFor}`;
  const [keyed] = key === null ? [] : await ordersWhere(trx, caller.accountId, byKey, newest);
  if (keyed && keyed.fingerprint !== fingerprint) throw new Refusal('idempotency_key_conflict');
  if (keyed || 'body' in from) return keyed ?? null;
  const [last] = await ordersWhere(trx, caller.accountId, sql`o.session_id = ${from.sessionId}`, newest);
  if (last?.status === 'waiting') return last;
  return last?.status === 'declined' && last.version === from.brief.version ? last : null;
}

const newest = sql`order by o.created_at desc, o.id desc limit 1`;

/** Judged again when a person confirms: plans are not locked here. */
async function refuseUnlessAdmitted(trx: Trx, { caller, checked }: OrderToConfirm, graceHours: number): Promise<void> {
  const kind = kindOf(caller);
  const { reasons, at } = await forecastAdmission(trx, caller.accountId, kind, graceHours);
  const { wanted_by } = checked.optional;
  if (wanted_by !== null && Date.parse(wanted_by) <= at.getTime()) throw wishTooEarly();
  const [reason] = reasons;
  if (reason) throw await refusalFor(trx, caller.accountId, graceHours, reason, needOf(checked, kind));
}

/** The account's counters are locked, so that orders kept at the same time are counted. */
async function refuseBeyondCap(trx: Trx, accountId: string): Promise<void> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting
    from orders o join intake_sessions s on s.account_id = ${accountId} and s.id = o.session_id
    where o.account_id = ${accountId} and o.status = 'waiting' and ${statusOfOrder} = 'waiting'`.execute(trx);
  if (rows[0]!.waiting < mostWaitingOrders) return;
  throw new Refusal('limit_reached', {
    message: `${mostWaitingOrders} orders of the account wait to be confirmed, which is the limit.`,
    action: 'Ask an owner or admin to confirm or decline some of them; GET /api/v1/orders?status=waiting lists them.',
  });
}

/** What was sent goes to the studio as it is, unless its maker changes the draft. */
async function draftOf(trx: Trx, { caller, cause, checked }: OrderToConfirm, files: FileRow[]): Promise<string> {
  const { family, option, title, instructions, optional } = checked;
  await refuseTooMany(trx, caller.accountId);
  const labels = family.intake_requirements.map(({ label }) => label);
  const { answers, words } = readInstructions(labels, instructions);
  const copied = Object.entries(answers).map(([requirement, answer]) => ({ requirement, answer }));
  const order = { service_family: family.id, service_type: option.id, answers: copied, words, title };
  const named = files.map(({ id, file_name }) => ({ id: showId('file', id), name: file_name }));
  const draft = {
    ...draftFrom(family, order),
    ...valuesOf(studioNames, optional),
    files: named,
    version: 1,
  };
  const brief = {
    version: 1,
    service_family: family.id,
    service_type: option.id,
    customer_title: title,
    customer_instructions: instructions,
    answered_requirements: [],
    answers: [],
    suggestions: [],
    quality_signals: family.quality_signals,
    file_ids: named.map(({ id }) => id),
    wanted_by: optional.wanted_by,
  };
  return insertReadySession(trx, caller.accountId, { draft, brief }, cause);
}

/** Its draft lives at least as long as it may be confirmed. */
async function insertOrder(trx: Trx, order: OrderToConfirm, sessionId: string): Promise<string> {
  const { caller, cause, source, request, from } = order;
  const id = newId();
  const body = 'body' in from ? JSON.stringify(from.body) : null;
  await sql`
    with kept as (
      insert into orders (account_id, id, session_id, source, body, route, key, fingerprint, created_by_user, created_by_key)
      values (${caller.accountId}, ${id}, ${sessionId}, ${source}, ${body}, ${request.route}, ${request.key},
        ${request.fingerprint}, ${cause.userId}, ${cause.apiKeyId})
      returning lapses_at)
    update intake_sessions s set expires_at = greatest(s.expires_at, kept.lapses_at) from kept
    where s.account_id = ${caller.accountId} and s.id = ${sessionId}`.execute(trx);
  return id;
}
