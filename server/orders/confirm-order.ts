import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { IntentBrief } from '../../contract/jobs/brief.ts';
import type { confirmOrder as endpoint } from '../../contract/ordering/orders.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { storeAnswer, withIdempotencyKey } from '../db/idempotency.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { CallerKind, Cause, Request } from '../http/request.ts';
import { takesBrand } from '../intake/draft.ts';
import { endSession, ownedSession, showSession } from '../intake/session.ts';
import { refusalFor } from '../jobs/admission.ts';
import { admitInTransaction } from '../jobs/admission-queue.ts';
import { type Candidate, candidateOf, createRoute } from '../jobs/candidate.ts';
import { checkDraft, type CheckedDraft, needOf } from '../jobs/draft.ts';
import { appendJobEvents } from '../jobs/job-event.ts';
import { attachFiles, unattachedFiles } from '../jobs/job-file.ts';
import { showId } from '../lib/id.ts';
import { lockWaitingOrder, staleOrder } from './lock-order.ts';
import { ownedOrder, type OrderRow, showOrder } from './order.ts';
import { tellOfDecision } from './tell-of-orders.ts';

type Dependencies = { db: Db; catalog: Catalog; graceHours: number };
type Created = Candidate & { answer: ReturnType<typeof candidateOf>['answer'] };

/** The job is its maker's, by usual admission; who confirmed stands in the event. */
export async function confirmOrder(
  { db, catalog, graceHours }: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { accountId } = caller;
  return withIdempotencyKey(db, request, async (trx) => {
    const order = await lockWaitingOrder(trx, caller, params.id);
    const brief = briefToConfirm(order, body.version);
    const checked = checkDraft(catalog, { ...order.body, ...order.draft, ...brief });
    const makers: Cause = {
      ...cause,
      userId: order.created_by_user,
      apiKeyId: order.created_by_key,
      addressHash: null,
    };
    const candidate = candidateFor(order, brief, checked, makers);
    await admit(trx, { graceHours, catalog }, order, checked, candidate);
    const files = await unattachedFiles(trx, accountId, brief.file_ids);
    const job = { account_id: accountId, id: candidate.job_id };
    if (files.length > 0) await attachFiles(trx, job, files, makers);
    await finish(trx, catalog, order, brief, candidate, caller.userId);
    const confirmed = await ownedOrder(trx, accountId, params.id);
    await tellOfDecision(trx, confirmed);
    await appendJobEvents(trx, job, [{ type: 'order.confirmed', data: { order_id: params.id } }], cause);
    return { status: 201, body: { order: await showOrder(trx, confirmed), ...candidate.answer } };
  });
}

/** A draft has a brief exactly while it is ready. */
function briefToConfirm({ brief, draft }: OrderRow, version: number): IntentBrief {
  if (version !== draft.version) throw staleOrder(draft.version, version);
  if (brief) return brief;
  throw new Refusal('order_changed', {
    message: 'Its maker is changing the order, and it is not complete.',
    action: 'Wait until it is `ready`, or decline it.',
  });
}

const kindOfMaker = ({ created_by_key }: OrderRow): CallerKind => (created_by_key === null ? 'human' : 'agent');

/** What was sent to POST /api/v1/jobs and never changed has no brief. Its key then finds the job. */
function candidateFor(order: OrderRow, brief: IntentBrief, checked: CheckedDraft, makers: Cause): Created {
  const { account_id: accountId, source, route, key, fingerprint } = order;
  const candidate = candidateOf({ accountId }, makers, checked, source);
  const sent = source !== 'intake' && brief.version === 1;
  return {
    ...candidate,
    intent_brief: sent ? null : brief,
    brand_kit: takesBrand(order.draft),
    ...(route === createRoute ? { idempotency_key: key, fingerprint } : {}),
  };
}

async function admit(
  trx: Trx,
  { catalog, graceHours }: Omit<Dependencies, 'db'>,
  order: OrderRow,
  checked: CheckedDraft,
  candidate: Created,
): Promise<void> {
  const kind = kindOfMaker(order);
  const { outcome } = await admitInTransaction(trx, kind, { graceHours, hours: catalog.businessHours }, candidate);
  if (outcome === 'admitted') return;
  if (outcome === 'replayed' || outcome === 'idempotency_key_conflict')
    throw new Refusal('order_changed', {
      message: 'Its maker has created a job with the Idempotency-Key of this order since.',
      action: 'Decline the order, or ask its maker to close the draft.',
    });
  throw await refusalFor(trx, order.account_id, graceHours, outcome, needOf(checked, kind));
}

/** Whoever confirms a brief once more, with the key of then, is answered the job. */
async function finish(
  trx: Trx,
  catalog: Catalog,
  order: OrderRow,
  { version }: IntentBrief,
  { job_id, answer }: Created,
  decidedBy: string,
): Promise<void> {
  const { account_id: accountId, id, route, key, fingerprint } = order;
  const session = await ownedSession(trx, accountId, showId('ise', order.session_id));
  const ended = await endSession(trx, session, 'confirmed', job_id);
  await sql`
    update orders set status = 'confirmed', decided_by = ${decidedBy}, decided_at = now(), version = ${version},
      job_id = ${job_id}
    where account_id = ${accountId} and id = ${id}`.execute(trx);
  if (route === createRoute || key === null) return;
  const body = { intake_session: await showSession(trx, catalog, ended), ...answer };
  await storeAnswer(trx, { accountId, route, key, fingerprint }, { status: 201, body });
}
