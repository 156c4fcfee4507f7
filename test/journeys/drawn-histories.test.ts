import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Plan } from '../../server/catalog/catalog.ts';
import { loadCatalog } from '../../server/catalog/load-catalog.ts';
import { showId } from '../../server/lib/id.ts';
import { createService, type Service } from '../support/harness.ts';
import { createJob } from '../support/jobs.ts';
import { makeKey, signUp } from '../support/people.ts';
import { bindCustomer, seconds } from '../support/plans.ts';
import { day, hour, RecordedStripe, type RecordedSubscription, type Step } from '../support/recorded-stripe.ts';
import type { Period, Session, Shape } from '../support/stripe-events.ts';

const plans: readonly Plan[] = [
  ...loadCatalog(fileURLToPath(new URL('../../catalog', import.meta.url))).plans.values(),
];
const agent = plans.find(({ code }) => code === 'agent')!;
const runs = process.env.FAULTS === 'long' ? 600 : 30;

/** Two services on one database. */
let services: [Service, Service];
beforeAll(async () => {
  const service = await createService({ LOG_LEVEL: 'fatal' });
  services = [service, await createService({ LOG_LEVEL: 'fatal' }, { databaseUrl: service.databaseUrl })];
});
afterAll(async () => {
  for (const service of services.toReversed()) await service.close();
});

type Life = { stripe: RecordedStripe; subscription: RecordedSubscription };
type Act = (life: Life) => void;

const isOpen = ({ subscription }: Life) => ['draft', 'open'].includes(subscription.invoice().status);
const isPaid = ({ subscription }: Life) => subscription.invoice().status === 'paid';
const runsAt = ({ subscription }: Life, ...statuses: string[]) => statuses.includes(subscription.status);
const when =
  (
    condition: (life: Life) => boolean,
    act: (subscription: RecordedSubscription, stripe: RecordedStripe) => void,
  ): Act =>
  (life) => {
    if (condition(life)) act(life.subscription, life.stripe);
  };

/** What can happen to a subscription, each where Stripe lets it happen. */
const acts: Record<string, Act> = {
  turn: when(
    (life) => runsAt(life, 'trialing', 'active', 'past_due', 'unpaid'),
    (subscription, stripe) => {
      stripe.until(Math.max(stripe.now, subscription.period.end));
      subscription.turn();
    },
  ),
  pay: when(isOpen, (subscription) => subscription.pay()),
  'pay an older one': when(
    ({ subscription }) =>
      subscription.invoices > 1 && ['open', 'uncollectible'].includes(subscription.invoice(1).status),
    (subscription) => subscription.pay(subscription.invoice(1)),
  ),
  fail: when(
    (life) => isOpen(life) && !runsAt(life, 'trialing', 'paused'),
    (subscription) => subscription.fail(),
  ),
  void: when(
    (life) => isOpen(life) && !runsAt(life, 'incomplete'),
    (subscription) => subscription.void(),
  ),
  'mark uncollectible': when(
    (life) => isOpen(life) && !runsAt(life, 'incomplete'),
    (subscription) => subscription.markUncollectible(),
  ),
  'leave unpaid': when(
    (life) => runsAt(life, 'past_due'),
    (subscription) => subscription.update({ status: 'unpaid' }),
  ),
  'pause collection': when(
    (life) => runsAt(life, 'active', 'past_due'),
    (subscription) => subscription.update({ pause_collection: { behavior: 'void', resumes_at: null } }),
  ),
  'resume collection': ({ subscription }) => subscription.update({ pause_collection: null }),
  pause: when(
    (life) => runsAt(life, 'active'),
    (subscription) => subscription.update({ status: 'paused' }, 'paused'),
  ),
  resume: when(
    (life) => runsAt(life, 'paused'),
    (subscription) => subscription.update({ status: 'active' }, 'resumed'),
  ),
  'cancel for the end': ({ subscription, stripe }) =>
    subscription.update({
      cancel_at_period_end: true,
      cancel_at: subscription.period.end,
      canceled_at: stripe.now,
    }),
  'cancel for a date': ({ subscription, stripe }) => subscription.update({ cancel_at: stripe.now + 5 * day }),
  'take the cancellation back': ({ subscription }) =>
    subscription.update({ cancel_at_period_end: false, cancel_at: null, canceled_at: null }),
  'change the plan': when(
    (life) => runsAt(life, 'active') && isPaid(life) && life.stripe.now < life.subscription.period.end,
    (subscription, stripe) => subscription.changePlan(stripe.larger),
  ),
  'charge another price': when(
    (life) => runsAt(life, 'active'),
    (subscription) => subscription.changeItems([{ price: { ...agent.price, id: 'price_special' }, quantity: 1 }]),
  ),
  'add an item': when(
    (life) => runsAt(life, 'active'),
    (subscription) =>
      subscription.changeItems([
        { price: agent.price, quantity: 1 },
        { price: { ...agent.price, id: 'price_extra' }, quantity: 1 },
      ]),
  ),
  'charge the price of the plan': ({ subscription }) => subscription.changeItems([{ price: agent.price, quantity: 1 }]),
  refund: when(isPaid, (subscription) => subscription.refund(100)),
  dispute: when(isPaid, (subscription) => subscription.dispute()),
  end: ({ subscription }) => subscription.end(),
};

/** What often comes together. */
const chains: Record<string, string[]> = {
  renews: ['turn', 'pay'],
  'renewal fails': ['turn', 'fail'],
  'renewal fails for good': ['turn', 'fail', 'leave unpaid', 'turn'],
  'renewal is voided': ['turn', 'void'],
  'a month without collection': ['pause collection', 'turn'],
  'two changes in one second': ['cancel for a date', 'pause collection'],
};

const gaps = {
  'at once': 0,
  'a second later': 1,
  'an hour later': hour,
  'days later': 3 * day,
  'weeks later': 12 * day,
};
const drawnHistory = fc.record({
  begins: fc.constantFrom('active', 'active', 'incomplete', 'trialing'),
  acts: fc.array(
    fc.tuple(
      fc.constantFrom(...(Object.keys(gaps) as (keyof typeof gaps)[])),
      fc.oneof(
        fc.constantFrom(...Object.keys(acts)).map((act) => [act]),
        fc.constantFrom(...Object.values(chains)),
      ),
    ),
    { minLength: 1, maxLength: 7 },
  ),
  looked: fc.constantFrom<number>(60, 2 * hour, 2 * hour, 5 * day, 20 * day, 32 * day),
  shape: fc.constantFrom<Shape>('since 2025-03-31', 'before 2025-03-31'),
  /** Seed of the order of arrival, and of which service each event reaches how often. */
  seed: fc.nat(1_000_000),
});
type Drawn = typeof drawnHistory extends fc.Arbitrary<infer D> ? D : never;

/** What is drawn too seldom: of two changes in one second either may arrive first. */
const examples = [1, 2, 3, 4].map((seed): [Drawn] => [
  {
    begins: 'active',
    acts: [['an hour later', chains['two changes in one second'] ?? []]],
    looked: 60,
    shape: 'since 2025-03-31',
    seed,
  },
]);

function recorded({ begins, acts: chosen, looked, shape }: Drawn, session: Session, start: number) {
  const stripe = new RecordedStripe(session, plans, { start, shape });
  const subscription = stripe.subscribe(begins === 'trialing' ? { trialDays: 14 } : { fields: { status: begins } });
  for (const [gap, names] of chosen) {
    stripe.later(gaps[gap]);
    for (const name of names) if (subscription.status !== 'canceled') acts[name]?.({ stripe, subscription });
  }
  stripe.later(looked);
  return stripe;
}

type Bounds = { current_period_start: number; current_period_end: number };
type SentSubscription = Bounds & {
  status: string;
  cancel_at: number | null;
  pause_collection: object | null;
  trial_start: number | null;
  trial_end: number | null;
  items: { data: (Bounds & { price: { id: string }; quantity: number })[] };
};
type SentLine = {
  period: Period;
  price?: { id: string };
  pricing?: { price_details: { price: string } };
  proration?: boolean;
  parent?: { subscription_item_details: { proration: boolean } };
};
type SentInvoice = { id: string; status: string; lines: { data: SentLine[] } };

const isSold = (id: string | undefined) => plans.some(({ price }) => price.id === id);
const boundsOf = (subscription: SentSubscription): Bounds => ({ ...subscription, ...subscription.items.data[0] });

/** The table of states once more, read off the events as they happened: whether an order is served at `now`. */
function serves(steps: readonly Step[], now: number): boolean {
  let status = '';
  let bounds: Bounds | null = null;
  let cancelAt: number | null = null;
  let isCollectionPaused = false;
  const invoices = new Map<string, SentInvoice>();
  const paid: Period[] = [];
  /** Starts of periods that the provider called active: an invoice confirms them, and creates none. */
  const granted = new Set<number>();
  /** Starts of periods that opened while payments were collected. */
  const opened = new Set<number>();
  for (const { event } of steps) {
    if (event.type.startsWith('invoice.')) {
      const invoice = event.data.object as SentInvoice;
      invoices.set(invoice.id, invoice);
    }
    if (!event.type.startsWith('customer.subscription.')) continue;
    const subscription = event.data.object as SentSubscription;
    const { trial_start, trial_end, items } = subscription;
    cancelAt = subscription.cancel_at;
    isCollectionPaused = subscription.pause_collection !== null;
    const grants = ['active', 'trialing'].includes(subscription.status);
    if (grants && !(items.data.length === 1 && isSold(items.data[0]?.price.id))) continue;
    status = subscription.status;
    bounds = boundsOf(subscription);
    if (grants) granted.add(bounds.current_period_start);
    if (grants && !isCollectionPaused) opened.add(bounds.current_period_start);
    if (status === 'trialing' && trial_start !== null && trial_end !== null)
      paid.push({ start: trial_start, end: trial_end });
  }
  if (bounds === null || !['active', 'trialing', 'past_due'].includes(status)) return false;
  if (cancelAt !== null && cancelAt <= now) return false;
  const settled = [...invoices.values()].flatMap((invoice) =>
    invoice.lines.data
      .filter(({ proration, parent }) => !(proration ?? parent?.subscription_item_details.proration))
      .filter(({ price, pricing }) => isSold(price?.id ?? pricing?.price_details.price))
      .map(({ period }) => ({ period, status: invoice.status })),
  );
  for (const line of settled) if (line.status === 'paid' && granted.has(line.period.start)) paid.push(line.period);
  if (paid.some(({ start, end }) => start <= now && now < end)) return true;
  if (status !== 'active') return false;
  const { current_period_start: begun, current_period_end: ended } = bounds;
  if (settled.some((line) => ['void', 'uncollectible'].includes(line.status) && line.period.start === begun))
    return false;
  return isCollectionPaused ? opened.has(begun) && now < ended : now < ended + day;
}

type Customer = { accountId: string; key: string; session: Session };

async function newCustomer(): Promise<Customer> {
  const [service] = services;
  const person = await signUp(service);
  const customer = await bindCustomer(service, person);
  const id = `cs_${person.accountId.replaceAll('-', '')}`;
  const metadata = { service_account_id: showId('acct', person.accountId) };
  const session = { id, customer, price: agent.price, metadata };
  return { accountId: person.accountId, key: await makeKey(service, person), session };
}

const draw = (seed: number, index: number) => createHash('sha256').update(`${seed} ${index}`).digest().readUInt32BE();

/** Ids of events order nothing: those of both customers are drawn alike. */
const identified = ({ steps }: RecordedStripe, { accountId }: Customer, seed: number) =>
  steps.map(({ event }, index) => ({ ...event, id: `evt_${draw(seed, index)}_${index}_${accountId}` }));

async function deliver(service: Service, event: object): Promise<void> {
  const payload = JSON.stringify(event);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_test' });
  const headers = { 'stripe-signature': header };
  const { status } = await service.call('POST', '/api/stripe/webhook', { raw: payload, headers });
  expect(status).toBe(200);
}

async function inOrder(events: readonly object[]): Promise<void> {
  for (const event of events) await deliver(services[0], event);
}

/** In a drawn order, some twice, three at a time, at either service. */
async function anyhow(events: readonly object[], seed: number): Promise<void> {
  const repeated = events.filter((_, index) => draw(seed, index) % 3 === 0);
  const shuffled = [...events, ...repeated]
    .map((event, index) => ({ event, place: draw(seed, index + 100) }))
    .toSorted((a, b) => a.place - b.place);
  for (let index = 0; index < shuffled.length; index += 3) {
    const some = shuffled.slice(index, index + 3);
    await Promise.all(some.map(({ event, place }) => deliver(services[place % 2 === 0 ? 0 : 1], event)));
  }
}

const ofItsOwn = { id: undefined, granted_at: undefined, updated_at: undefined };
/** Outcomes that depend on what else had arrived. */
const ofReceipt = new Set(['older than what is already applied', 'no subscription yet']);

/** All that the customer sees, without ids and the times of receipt. */
async function shown({ key, accountId }: Customer) {
  const [, service] = services;
  const { entitlements } = (await service.call('GET', '/api/v1/entitlements', { as: key })).body;
  const { status } = await createJob(service, key);
  const events = await service.context.db
    .selectFrom('provider_events')
    .where('account_id', '=', accountId)
    .select(['id', 'outcome', 'reason'])
    .orderBy('id')
    .execute();
  return {
    order: status,
    entitlements: entitlements.map((entitlement: object) => ({ ...entitlement, ...ofItsOwn })),
    events: events.map(({ id, outcome, reason }) => [
      id.replace(`_${accountId}`, ''),
      ...(reason !== null && ofReceipt.has(reason) ? ['processed', null] : [outcome, reason]),
    ]),
  };
}

/** Two of one second, of which only Stripe knows which came last. */
const isUndecided = (steps: readonly Step[]) =>
  steps.some(({ at, event }, index) =>
    steps.some(
      (other, place) =>
        place < index &&
        other.at === at &&
        other.event.type === event.type &&
        event.type === 'customer.subscription.updated',
    ),
  );

test(`${runs} drawn histories end alike in any order of arrival, and serve what the table of states says`, async () => {
  await fc.assert(
    fc.asyncProperty(drawnHistory, async (drawn) => {
      const [orderly, other] = [await newCustomer(), await newCustomer()];
      const length = recorded(drawn, orderly.session, 0).now;
      const start = seconds(Date.now()) - length;
      const history = recorded(drawn, orderly.session, start);
      await Promise.all([
        inOrder(identified(history, orderly, drawn.seed)),
        anyhow(identified(recorded(drawn, other.session, start), other, drawn.seed), drawn.seed),
      ]);
      const expected = await shown(orderly);
      expect(await shown(other)).toEqual(expected);
      if (!isUndecided(history.steps)) expect(expected.order === 201).toBe(serves(history.steps, start + length));
    }),
    { numRuns: runs, endOnFailure: true, examples },
  );
}, 1_800_000);
