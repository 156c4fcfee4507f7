import { sql } from 'kysely';
import { databaseTime, type Trx } from '../db/pool.ts';
import { appendEvents } from '../events/append-events.ts';
import { byService } from '../http/request.ts';
import { carryOver } from './carry-over.ts';
import { closeCheckout, replaceCheckouts } from './checkout.ts';
import { type Facts, foldEvents, type FoldedEvent } from './facts.ts';
import { judgePeriod } from './periods.ts';
import { type Projection, projectFacts, usualState } from './project-facts.ts';
import type { Order } from './provider-event.ts';
import { carriedOver, type CarriedRow, eventsOf, foldable, type StoredEvent } from './subscription-events.ts';
import { type Columns, findRow, type SubscriptionRow, writePeriod, writeRow } from './subscription-row.ts';
import { tellOfPlan } from './tell-of-plan.ts';
import { tellOfStanding } from './tell-studio.ts';
import type { Reason, Terms } from './verify-terms.ts';

type Key = { accountId: string; subscription: string };
/** The event that is being judged. */
type Judged = { id: string; priceFault: Reason | null };

/**
 * Works out a subscription from all its events and writes it: the only place that writes entitlements. The
 * account must be locked. Returns why the judged event changes nothing; null if it counts.
 */
export async function rewriteSubscription(
  trx: Trx,
  key: Key,
  terms: Terms,
  judged: Judged | null,
): Promise<Reason | null> {
  const stored = await eventsOf(trx, key.subscription, key.accountId, judged?.id ?? null);
  const events = stored.flatMap((row) => pricedAnew(row, foldable(row, terms.plans), judged));
  const before = await findRow(trx, key.accountId, key.subscription);
  const carried = before === null ? notCarried : await carryOver(trx, before, events);
  const all = [...events, ...(before === null ? [] : carriedOver({ ...carried, code: before.code }))];
  const anchor = all.some(namesPeriod) ? null : (before?.anchor ?? null);
  const { facts, reasons } = foldEvents(all, anchor);
  const reason = judged && reasonOf(judged, { all, anchor, facts, reasons });
  await acceptOthers(trx, stored, judged, { facts, reasons });
  const projection = projectFacts(facts, terms.servesUncollected);
  if (projection === null) {
    if (before) await markSeen(trx, key, before, terms);
    return reason;
  }
  const caughtUp = before?.state === null ? null : `${key.subscription} ${facts.newest?.id ?? ''}`;
  const cause = judged?.id ?? caughtUp;
  const isRow = before !== null || facts.granted !== null || keepsOthersAway(projection, facts);
  if (isRow) await write(trx, key, terms, { stored, before, carried, facts, projection, reason, cause });
  return reason;
}

const namesPeriod = (event: FoldedEvent) => event.kind !== 'invoice' && event.period !== null;

const notCarried = { carried_as: null, carried_at: null, carried_start: null, carried_end: null };

/** A subscription that stopped before its first grant arrived still keeps the account from a second one. */
const keepsOthersAway = ({ status }: Projection, { code }: Facts) =>
  code !== null && (status === 'past_due' || status === 'paused' || status === 'stopped');

const pricedAnew = ({ id, plan_code }: StoredEvent, events: FoldedEvent[], judged: Judged | null): FoldedEvent[] =>
  events.map((event) =>
    id === judged?.id && event.kind === 'subscription'
      ? { ...event, plan: plan_code ?? { fault: judged.priceFault ?? 'missing metadata' } }
      : event,
  );

type Outcome = { facts: Facts; reasons: ReadonlyMap<string, Reason> };

type Fold = Outcome & { all: FoldedEvent[]; anchor: Date | null };

function reasonOf({ id }: Judged, { all, anchor, facts, reasons }: Fold): Reason | null {
  const event = all.find(({ order }) => order.id === id);
  const isKnown = facts.granted !== null || facts.state !== null;
  if (event?.kind === 'invoice') return isKnown ? null : 'no subscription yet';
  const reason = reasons.get(id);
  if (reason !== undefined || facts.newest === null || facts.newest.id === id) return reason ?? null;
  const { facts: without } = foldEvents(
    all.filter((other) => other !== event),
    anchor,
  );
  const changes = facts.state !== 'ended' && visible(facts) !== visible(without);
  return changes ? null : 'older than what is already applied';
}

/** Without plans of a period that nothing shows any more. */
const visible = ({ state, code, endsAt, isCollectionPaused, periods, invoices }: Facts) =>
  JSON.stringify([
    state,
    code,
    endsAt,
    isCollectionPaused,
    periods.map((period) => judgePeriod(period, invoices, false)),
  ]);

/** Events that waited for this one count now. */
async function acceptOthers(trx: Trx, stored: StoredEvent[], judged: Judged | null, { facts, reasons }: Outcome) {
  if (facts.granted === null) return;
  const accepted = stored.filter(
    ({ id, outcome, reason }) =>
      id !== judged?.id &&
      outcome === 'ignored' &&
      reason !== 'older than what is already applied' &&
      reason !== 'unsupported type' &&
      !reasons.has(id),
  );
  if (accepted.length === 0) return;
  const ids = accepted.map(({ id }) => id);
  // An operator who has one re-evaluated holds its row and waits for the account.
  const free = trx.selectFrom('provider_events').select('id').where('id', 'in', ids).forUpdate().skipLocked();
  await trx
    .updateTable('provider_events')
    .set({ outcome: 'processed', reason: null })
    .where('id', 'in', free)
    .execute();
}

/** The row has no events: it was written by hand. */
async function markSeen(
  trx: Trx,
  { accountId, subscription }: Key,
  { status }: SubscriptionRow,
  { servesUncollected }: Terms,
): Promise<void> {
  await sql`
    update entitlements set state = coalesce(state, ${usualState(status)}), facts_receipt = event_receipt,
      serves_uncollected = ${servesUncollected}
    where account_id = ${accountId} and subscription = ${subscription}`.execute(trx);
}

type Rewritten = {
  stored: StoredEvent[];
  before: SubscriptionRow | null;
  carried: Omit<CarriedRow, 'code'>;
  facts: Facts;
  projection: Projection;
  reason: Reason | null;
  /** The notification, which a person gets once; null for none. */
  cause: string | null;
};

async function write(trx: Trx, key: Key, { plans, servesUncollected }: Terms, rewritten: Rewritten): Promise<void> {
  const { stored, before, facts, projection, reason, cause } = rewritten;
  const plan = plans.get(projection.code ?? before?.code ?? '');
  if (before === null && !plan) return;
  const at = await databaseTime(trx);
  const receiptOf = ({ id }: Order) => stored.find((event) => event.id === id)?.receipt ?? '0';
  const isNew = projection.period !== null && !before?.period_start;
  const id = await writeRow(
    trx,
    key,
    {
      ...columnsOf(rewritten, at, receiptOf),
      serves_uncollected: servesUncollected,
      ...(isNew ? { granted_at: at } : {}),
    },
    plan,
  );
  const { granted, anchor } = facts;
  if (projection.period && granted && anchor) {
    const grantedBy = { createdAt: granted.createdAt, rank: granted.rank, receipt: receiptOf(granted) };
    await writePeriod(trx, key.accountId, id, { ...projection.period, anchor, grantedBy });
  }
  if (reason === null && granted && granted === facts.newest && plan) {
    await closeCheckout(trx, key.accountId, plan.code);
    await replaceCheckouts(trx, key.accountId, plan, plans, null);
  }
  const after = await findRow(trx, key.accountId, key.subscription);
  if (!after || shown(before && asSeenNow(before, after)) === shown(after)) return;
  await appendEvents(trx, key.accountId, byService(), [
    { type: 'entitlement.changed', data: { plan_code: after.code } },
  ]);
  // An upgrade of the service notifies nobody.
  if (cause === null) return;
  await tellOfPlan(trx, { before, after, cause }, at);
  await tellOfStanding(trx, { before, after, cause });
}

/** A fact that the previous version did not store is no change when it is first seen. */
const asSeenNow = (before: SubscriptionRow, after: SubscriptionRow) => {
  const { status_detail, ends_at, paid_until, collection_paused } = after;
  return before.state === null ? { ...before, status_detail, ends_at, paid_until, collection_paused } : before;
};

function columnsOf(
  { before, carried, facts, projection, reason }: Rewritten,
  at: Date,
  receiptOf: (order: Order) => string,
) {
  const { newest } = facts;
  const order = newest
    ? { event_created_at: newest.createdAt, event_rank: newest.rank, event_receipt: receiptOf(newest) }
    : {
        event_created_at: before?.event_created_at ?? at,
        event_rank: before?.event_rank ?? 0,
        event_receipt: before?.event_receipt ?? '0',
      };
  return {
    ...order,
    facts_receipt: order.event_receipt,
    status: projection.status,
    state: projection.state,
    state_since: projection.since,
    serves_until: projection.servesUntil,
    ends_at: facts.endsAt,
    paid_until: projection.paidUntil,
    collection_paused: facts.isCollectionPaused,
    ...carried,
    ...(reason === null ? { updated_at: at } : {}),
  } satisfies Omit<Columns, 'serves_uncollected'>;
}

/** What people can see of the subscription: nothing before a first grant. */
function shown(row: SubscriptionRow | null): string {
  if (!row?.period_start) return '';
  const { status, status_detail, code, quota, concurrency_limit, ends_at, paid_until, collection_paused } = row;
  const { period_start, period_end, serves_until } = row;
  return JSON.stringify([
    [status, status_detail, code, quota, concurrency_limit],
    [ends_at, paid_until, collection_paused, period_start, period_end, status === 'past_due' ? serves_until : null],
  ]);
}
