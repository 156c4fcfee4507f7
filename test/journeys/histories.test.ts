import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../client/cli/run.ts';
import { verifyPrices } from '../../server/billing/verify-prices.ts';
import type { Plan } from '../../server/catalog/catalog.ts';
import { loadCatalog } from '../../server/catalog/load-catalog.ts';
import { showId } from '../../server/lib/id.ts';
import { openStripeEmulator, type StripeEmulator } from '../../scripts/stripe-emulator.ts';
import { runToEnd } from '../support/command-line.ts';
import { createService, type Service } from '../support/harness.ts';
import { createJob } from '../support/jobs.ts';
import { connect } from '../support/mcp.ts';
import { mailsTo, toldTo } from '../support/notifications.ts';
import { goodPassword, makeKey, makeOperator, signUp, type TestPerson } from '../support/people.ts';
import { seconds } from '../support/plans.ts';
import { day, type Moment } from '../support/recorded-stripe.ts';
import type { Session, Shape } from '../support/stripe-events.ts';
import { type History, histories, playHistory } from '../support/stripe-histories.ts';

const plans: readonly Plan[] = [
  ...loadCatalog(fileURLToPath(new URL('../../catalog', import.meta.url))).plans.values(),
];

let emulator: StripeEmulator;
let service: Service;
let operator: TestPerson;
beforeAll(async () => {
  emulator = await openStripeEmulator(plans);
  service = await createService({
    STRIPE_SECRET_KEY: 'sk_test_emulated',
    STRIPE_API_URL: emulator.url,
    STRIPE_WEBHOOK_SECRET: emulator.secret,
    LOG_LEVEL: 'fatal',
  });
  emulator.webhookUrl = `${service.url}/api/stripe/webhook`;
  await verifyPrices(service.context);
  operator = await makeOperator(service);
});
afterAll(async () => {
  await service.close();
  await emulator.close();
});

/** What each state means to everybody, by the table of states. `orders`: by session and by key. */
const states = {
  /** There was no plan yet. The open checkout has the page to pay. */
  nothing: { status: null, orders: false, checkout: 'the open one', closing: 200 },
  /** Paid, or not yet confirmed. It may end on a date. */
  active: { status: 'active', orders: true, checkout: 'plan_already_active', closing: 409 },
  overdue: { status: 'past_due', orders: false, checkout: 'plan_already_active', closing: 409 },
  /** What was paid before goes on. */
  'overdue, served': { status: 'past_due', orders: true, checkout: 'plan_already_active', closing: 409 },
  stopped: { status: 'stopped', orders: false, checkout: 'plan_already_active', closing: 409 },
  paused: { status: 'paused', orders: false, checkout: 'plan_already_active', closing: 409 },
  ended: { status: 'canceled', orders: false, checkout: 'a new one', closing: 200 },
  /** No word came of a renewal. At the provider it goes on. */
  expired: { status: 'expired', orders: false, checkout: 'a new one', closing: 409 },
} as const;

type Facts = {
  plan?: string;
  /** In days of the history, as the other times. */
  period?: [number, number];
  paid?: number | null;
  ends?: number | null;
  collection?: 'paused';
};
type Row = [moment: string, state: keyof typeof states, facts?: Facts];
type Expected = {
  buys?: string;
  rows: Row[];
  /** Bell and mails until the last moment, oldest first. */
  told: string[];
  /** What `atelier whoami` says at the last moment. */
  cli?: RegExp;
  /** Reasons of events that wait for an operator, oldest first. */
  look?: string[];
};

const began = 'Your plan is active';
const goesOn = 'Your plan goes on';
const overdue = 'A payment is overdue';
const notPaid = 'Your plan is not paid';
const stopped = 'Your plan has stopped';
const paused = 'Your plan is paused';
const collectionPaused = 'The payment for your plan is paused';
const willEnd = 'Your plan will end';
const willNotEnd = 'Your plan will not end';
const hasEnded = 'Your plan has ended';

const first: Facts = { period: [0, 30], paid: 30 };
const second: Facts = { period: [30, 60], paid: 60 };
const third: Facts = { period: [60, 90], paid: 90 };

const table: Record<string, Expected> = {
  'first-payment': {
    rows: [
      ['paid', 'active', first],
      ['an hour after the period', 'active', first],
      ['a day and an hour after the period', 'expired', first],
    ],
    told: [began],
  },
  'first-payment-3ds': {
    rows: [
      ['waits for 3-D Secure', 'nothing'],
      ['paid', 'active', first],
    ],
    told: [began],
  },
  'first-payment-given-up': { rows: [['given up', 'nothing']], told: [] },
  'bank-debit-fails': {
    rows: [
      ['under way', 'active', { period: [0, 30], paid: null }],
      ['came back', 'overdue', { paid: null }],
      ['paid', 'active', first],
    ],
    told: [began, overdue, goesOn],
  },
  'bank-debit-waits': {
    rows: [
      ['under way', 'nothing'],
      ['paid', 'active', first],
    ],
    told: [began],
  },
  'invoice-sent': {
    rows: [
      ['sent', 'active', { period: [0, 30], paid: null }],
      ['paid in time', 'active', first],
      ['the second is sent', 'active', { period: [30, 60], paid: 30 }],
      ['overdue', 'overdue', { paid: 30 }],
      ['paid late', 'active', second],
    ],
    told: [began, overdue, goesOn],
  },
  'paid-before-created': {
    rows: [
      ['the invoice arrived', 'nothing'],
      ['both arrived', 'active', first],
    ],
    told: [began],
  },
  'minimal-event': { rows: [['granted', 'active']], told: [began] },
  'trial-with-card': {
    rows: [
      ['in the trial', 'active', { period: [0, 14], paid: 14 }],
      ['over, not yet charged', 'active', { period: [14, 44], paid: 14 }],
      ['charged', 'active', { period: [14, 44], paid: 44 }],
    ],
    told: [began],
  },
  'trial-without-card': {
    rows: [
      ['paused', 'paused', { paid: 14 }],
      ['goes on', 'active', { period: [17, 47], paid: 47 }],
    ],
    told: [began, paused, goesOn],
  },
  'trial-ends-without-card': { rows: [['ended', 'ended', { ends: 14 }]], told: [began, hasEnded] },
  'trial-canceled': {
    rows: [
      ['canceled for its end', 'active', { period: [0, 14], paid: 14, ends: 14 }],
      ['ended', 'ended', { ends: 14 }],
    ],
    told: [began, willEnd, hasEnded],
  },
  'trial-payment-fails': {
    rows: [
      ['failed', 'overdue', { paid: 14 }],
      ['paid', 'active', { period: [14, 44], paid: 44 }],
    ],
    told: [began, overdue, goesOn],
  },
  'renewal-paid': {
    rows: [
      ['renewed, not yet charged', 'active', { period: [30, 60], paid: 30 }],
      ['charged', 'active', second],
      ['charged again', 'active', third],
    ],
    told: [began],
  },
  'renewal-paid-late': {
    rows: [
      ['failed', 'overdue', first],
      ['failed again', 'overdue', first],
      ['paid', 'active', second],
    ],
    told: [began, overdue, goesOn],
  },
  'renewal-fails': {
    rows: [
      ['failed', 'overdue', first],
      ['canceled', 'ended', { ends: 37 + 2 / 24 }],
    ],
    told: [began, overdue, hasEnded],
  },
  'renewal-fails-unpaid': {
    rows: [
      ['stopped', 'stopped', { paid: 30 }],
      ['the next month', 'stopped', { paid: 30 }],
      ['the older invoice is paid', 'stopped', { paid: 60 }],
      ['the latest invoice is paid', 'active', third],
    ],
    told: [began, overdue, stopped, goesOn],
  },
  'renewal-fails-past-due': {
    rows: [
      ['the next month', 'overdue', first],
      ['paid', 'active', third],
    ],
    told: [began, overdue, goesOn],
  },
  'old-invoice-paid': {
    rows: [['the older invoice is paid', 'overdue', { paid: 60 }]],
    told: [began, overdue],
    cli: /no active plan[^]*payment[^]*overdue/,
  },
  'account-credit': { rows: [['paid by credit', 'active', second]], told: [began] },
  discounted: { rows: [['paid', 'active', first]], told: [began] },
  'no-invoice-events': {
    rows: Array.from({ length: 12 }, (_, index) => {
      const renewal = index + 1;
      return [`renewal ${renewal}`, 'active', { period: [30 * renewal, 30 * renewal + 30], paid: null }];
    }),
    told: [began],
  },
  'canceled-now': { rows: [['canceled', 'ended', { ends: 10 }]], told: [began, hasEnded] },
  'canceled-for-the-end': {
    rows: [
      ['canceled for the end', 'active', { ...first, ends: 30 }],
      ['ended', 'ended', { ends: 30 }],
    ],
    told: [began, willEnd, hasEnded],
  },
  'canceled-for-the-end-flexible': {
    rows: [
      ['canceled for the end', 'active', { ...first, ends: 30 }],
      ['an hour after the end, without word', 'ended', { ends: 30 }],
    ],
    told: [began, willEnd],
  },
  'canceled-at-a-date': {
    rows: [
      ['canceled for the date', 'active', { ...first, ends: 15 }],
      ['an hour after the date, without word', 'ended', { ends: 15 }],
      ['ended', 'ended', { ends: 15 + 1 / 24 }],
    ],
    told: [began, willEnd, hasEnded],
  },
  'cancellation-taken-back': {
    rows: [
      ['taken back', 'active', { ...first, ends: null }],
      ['renewed', 'active', { ...second, ends: null }],
    ],
    told: [began, willEnd, willNotEnd],
  },
  'customer-deleted': { rows: [['deleted', 'ended', { ends: 10 }]], told: [began, hasEnded] },
  'upgrade-now': {
    buys: 'agent',
    rows: [
      ['changed', 'active', { ...first, plan: 'studio' }],
      ['renewed', 'active', { ...second, plan: 'studio' }],
    ],
    told: [began],
  },
  'upgrade-anew': {
    buys: 'agent',
    rows: [['changed', 'active', { period: [10, 40], paid: 40, plan: 'studio' }]],
    told: [began],
  },
  'upgrade-fails': {
    buys: 'agent',
    rows: [
      ['failed', 'overdue, served', first],
      ['an hour after the paid month', 'overdue', first],
    ],
    told: [began, overdue],
  },
  'downgrade-now': {
    rows: [
      ['changed', 'active', { ...first, plan: 'agent' }],
      ['renewed', 'active', { ...second, plan: 'agent' }],
    ],
    told: [began],
  },
  'downgrade-at-the-end': {
    rows: [
      ['scheduled', 'active', first],
      ['changed', 'active', { ...second, plan: 'agent' }],
    ],
    told: [began],
  },
  'schedule-ends': {
    buys: 'agent',
    rows: [
      ['the last month', 'active', { ...second, plan: 'studio', ends: 60 }],
      ['ended', 'ended', { plan: 'studio', ends: 60 }],
    ],
    told: [began, willEnd, hasEnded],
  },
  'other-amount': { rows: [['paid', 'nothing']], told: [], look: ['wrong amount'] },
  'other-currency': { rows: [['paid', 'nothing']], told: [], look: ['wrong currency'] },
  'other-interval': { rows: [['paid', 'nothing']], told: [], look: ['wrong interval'] },
  'other-price': { rows: [['paid', 'nothing']], told: [], look: ['unknown price'] },
  'quantity-two': { rows: [['paid', 'nothing']], told: [], look: ['wrong quantity'] },
  'quantity-zero': { rows: [['paid', 'nothing']], told: [], look: ['wrong quantity'] },
  'price-changed': {
    rows: [
      ['changed', 'active', first],
      ['a day and an hour after the paid month', 'expired', first],
    ],
    told: [began],
    look: ['unknown price', 'unknown price'],
  },
  'several-items': {
    rows: [
      ['added', 'active', first],
      ['taken away and renewed', 'active', second],
    ],
    told: [began],
    look: ['several items'],
  },
  'begun-with-several-items': { rows: [['paid', 'nothing']], told: [], look: ['several items'] },
  'collection-paused-keep-as-draft': {
    rows: [
      ['paused in a paid month', 'active', { ...first, collection: 'paused' }],
      ['the paid month is over', 'stopped', { paid: 30, collection: 'paused' }],
      ['resumed', 'active', { period: [30, 60], paid: 30 }],
      ['charged again', 'active', third],
    ],
    told: [began, collectionPaused, stopped, goesOn],
  },
  'collection-paused-mark-uncollectible': {
    rows: [
      ['paused in a paid month', 'active', { ...first, collection: 'paused' }],
      ['the paid month is over', 'stopped', { paid: 30, collection: 'paused' }],
      ['resumed', 'overdue', { paid: 30 }],
      ['charged again', 'active', third],
    ],
    told: [began, collectionPaused, stopped, notPaid, goesOn],
  },
  'collection-paused-void': {
    rows: [
      ['paused in a paid month', 'active', { ...first, collection: 'paused' }],
      ['the paid month is over', 'stopped', { paid: 30, collection: 'paused' }],
      ['resumed', 'overdue', { paid: 30 }],
      ['charged again', 'active', third],
    ],
    told: [began, collectionPaused, stopped, notPaid, goesOn],
  },
  'paused-on-request': {
    rows: [
      ['paused', 'paused', { paid: 30 }],
      ['resumed', 'active', first],
    ],
    told: [began, paused, goesOn],
  },
  'invoice-voided': {
    rows: [
      ['voided', 'overdue', { paid: 30 }],
      ['the next month is paid', 'active', third],
    ],
    told: [began, notPaid, goesOn],
  },
  'invoice-uncollectible': {
    rows: [
      ['marked', 'overdue', { paid: 30 }],
      ['paid after all', 'active', second],
    ],
    told: [began, notPaid, goesOn],
  },
  'refund-in-part': { rows: [['paid back', 'active', first]], told: [began] },
  refund: { rows: [['paid back', 'active', first]], told: [began] },
  dispute: { rows: [['disputed', 'active', first]], told: [began] },
  'other-product': { rows: [['all arrived', 'nothing']], told: [] },
  'known-customer-buys-other-product': { rows: [['arrived', 'nothing']], told: [], look: ['missing metadata'] },
  'year-of-a-customer': {
    buys: 'agent',
    rows: [
      ['trial', 'active', { period: [0, 14], paid: 14 }],
      ['3-D Secure: the bank wants to hear the customer', 'overdue', { paid: 14 }],
      ['paid', 'active', { period: [14, 44], paid: 44 }],
      ['third renewal', 'active', { period: [104, 134], paid: 134 }],
      ['fourth renewal fails', 'overdue', { paid: 134 }],
      ['fourth renewal is paid on the third try', 'active', { period: [134, 164], paid: 164 }],
      ['upgrade', 'active', { plan: 'studio', period: [134, 164], paid: 164 }],
      ['downgrade for the end of the period', 'active', { plan: 'studio', period: [194, 224], paid: 224 }],
      ['downgraded', 'active', { period: [224, 254], paid: 254 }],
      ['collection is paused', 'active', { period: [224, 254], paid: 254, collection: 'paused' }],
      ['the paid month is over', 'stopped', { paid: 254, collection: 'paused' }],
      ['charged again', 'active', { period: [284, 314], paid: 314 }],
      ['eleventh renewal fails', 'overdue', { paid: 344 }],
      ['a payment is disputed', 'active', { period: [344, 374], paid: 374 }],
      ['canceled for the end of the period', 'active', { period: [374, 404], paid: 404, ends: 404 }],
      ['ended', 'ended', { ends: 404 }],
      ['back, with the larger plan', 'active', { plan: 'studio', period: [414, 444], paid: 444 }],
    ],
    told: [
      began,
      overdue,
      goesOn,
      overdue,
      goesOn,
      collectionPaused,
      stopped,
      notPaid,
      goesOn,
      overdue,
      goesOn,
      willEnd,
      hasEnded,
      began,
    ],
  },
};

test('each history of the list is in the table, moment by moment', () => {
  const session: Session = { id: 'cs_1', customer: 'cus_1', price: plans[0]!.price, metadata: {} };
  const listed = histories.map((history) => {
    const { moments } = playHistory(history, session, plans, { start: 0 });
    return [history.name, moments.map(({ name }) => name)];
  });
  expect(Object.entries(table).map(([name, { rows }]) => [name, rows.map(([moment]) => moment)])).toEqual(listed);
});

type Customer = { person: TestPerson; key: string; session: Session };

async function customerWithCheckout(plan: Plan): Promise<Customer> {
  const person = await signUp(service);
  const key = await makeKey(service, person);
  const { status, body } = await checkout(person, plan.code);
  expect(status).toBe(201);
  const { id, customer } = body.checkout;
  const metadata = { service_account_id: showId('acct', person.accountId) };
  return { person, key, session: { id, customer, price: plan.price, metadata } };
}

const checkout = ({ token }: TestPerson, plan_code: string) =>
  service.call('POST', '/api/checkout/tier', { as: token, body: { plan_code } });

/** A customer whose history has just reached the moment. `zero`: when it began. */
async function customerAt(history: History, plan: Plan, moment: Moment, shape: Shape) {
  const customer = await customerWithCheckout(plan);
  const zero = seconds(Date.now()) - moment.at;
  const { steps } = playHistory(history, customer.session, plans, { start: zero, shape });
  for (const { event } of steps.slice(0, moment.events)) {
    const { status, body } = await answerTo(event);
    expect([status, body.received], event.type).toEqual([200, true]);
  }
  await service.context.mailSender.idle();
  return { ...customer, zero };
}

async function answerTo(event: object) {
  const answer = await emulator.deliver(event);
  return { status: answer.status, body: (await answer.json()) as { received: boolean; status: string } };
}

const entitlementsOf = async (as: string) =>
  (await service.call('GET', '/api/v1/entitlements', { as })).body.entitlements;

/** In days of the history. */
const daysSince = (zero: number) => (time: string | null) =>
  time === null ? null : Math.round(((seconds(time) - zero) / day) * 1000) / 1000;
const rounded = (days: number | null) => (days === null ? null : Math.round(days * 1000) / 1000);

async function seenBy({ person, key, session, zero }: Customer & { zero: number }, plan: string) {
  const days = daysSince(zero);
  const [orderBySession, orderByKey] = [await createJob(service, person.token), await createJob(service, key)];
  const entitlements = await entitlementsOf(key);
  const [newest] = entitlements;
  const { entitlement_summary: summary } = (await service.call('GET', '/api/v1/me', { as: key })).body;
  const { body } = await checkout(person, plan);
  const portal = await service.call('POST', '/api/checkout/portal', { as: person.token });
  const closing = await service.call('POST', '/api/auth/account/close', {
    as: person.token,
    body: { password: goodPassword },
  });
  return {
    orders: [orderBySession, orderByKey].map(({ status, body: { error } }) => error?.code ?? status),
    entitlement: newest && {
      status: newest.status,
      plan: newest.plan_code,
      period: [days(newest.period.start), days(newest.period.end)],
      paid: days(newest.paid_until),
      ends: days(newest.ends_at),
      collection: newest.collection_paused ? 'paused' : undefined,
      used: newest.used,
      remaining: newest.remaining,
    },
    summary,
    checkout: body.error?.code ?? (body.checkout.id === session.id ? 'the open one' : 'a new one'),
    portal: portal.status,
    closing: closing.body.error?.code ?? closing.status,
  };
}

async function atDesk({ accountId }: TestPerson) {
  const path = `/api/operator/v1/accounts/${showId('acct', accountId)}`;
  const { account } = (await service.call('GET', path, { as: operator.token })).body;
  return account.entitlements.map((entitlement: object) => ({ ...entitlement, adjustable: undefined }));
}

function expectation([, state, facts = {}]: Row, buys: string) {
  const { status, orders, checkout, closing } = states[state];
  const { plan: code = buys, period, paid, ends = null, collection } = facts;
  const { quota, access_kind } = plans.find((plan) => plan.code === code)!;
  const serves = (kind: 'human' | 'agent') => orders && (access_kind === 'both' || access_kind === kind);
  const used = [serves('human'), serves('agent')].filter(Boolean).length;
  return {
    orders: [serves('human') ? 201 : 'entitlement_required', serves('agent') ? 201 : 'entitlement_required'],
    entitlement:
      status === null
        ? undefined
        : {
            status,
            plan: code,
            ...(period ? { period: period.map(rounded) } : {}),
            ...(paid === undefined ? {} : { paid: rounded(paid) }),
            ends: rounded(ends),
            collection,
            used,
            remaining: quota - used,
          },
    summary: {
      active: orders,
      dashboard_access: serves('human'),
      api_access: serves('agent'),
      plan_codes: orders ? [code] : [],
      paused: status === 'paused' ? [code] : [],
      past_due: status === 'past_due' ? [code] : [],
    },
    checkout,
    portal: 201,
    closing: closing === 200 ? 200 : 'account_in_use',
  };
}

test.each(Object.entries(table))('%s', async (name, { buys = 'studio', rows, told, cli, look = [] }) => {
  const history = histories.find((each) => each.name === name)!;
  const plan = plans.find(({ code }) => code === buys)!;
  const session: Session = { id: 'cs_1', customer: 'cus_1', price: plan.price, metadata: {} };
  const { moments } = playHistory(history, session, plans, { start: 0 });
  const seen = await Promise.all(
    moments.map(async (moment, index) => {
      const shape = index % 2 === 0 ? 'since 2025-03-31' : 'before 2025-03-31';
      const customer = await customerAt(history, plan, moment, shape);
      if (moment === moments.at(-1)) {
        expect(await heardBy(customer)).toEqual({ bell: told, mails: told, feed: told.length > 0 });
        expect(await lookedAt(customer)).toEqual(look);
        expect(await atDesk(customer.person)).toEqual(await entitlementsOf(customer.key));
        if (name === 'year-of-a-customer') await expectSameByMcp(customer);
        if (cli) expect(await whoami(customer)).toMatch(cli);
      }
      return [moment.name, await seenBy(customer, rows[index]?.[2]?.plan ?? buys)];
    }),
  );
  expect(Object.fromEntries(seen)).toMatchObject(
    Object.fromEntries(rows.map((row) => [row[0], expectation(row, buys)])),
  );
});

async function heardBy({ person, key }: Customer) {
  const { events } = (await service.call('GET', '/api/v1/events', { as: key })).body;
  const bell = (await toldTo(service, person)).filter(({ kind }) => kind === 'plan');
  return {
    bell: bell.map(({ title }) => title).toReversed(),
    mails: mailsTo(service, person).map(({ subject }) => subject.split(':')[0]),
    feed: events.some(({ type }: { type: string }) => type === 'entitlement.changed'),
  };
}

async function lookedAt({ session }: Customer): Promise<string[]> {
  const path = '/api/operator/v1/provider-events?needs_look=true&limit=100';
  const { body } = await service.call('GET', path, { as: operator.token });
  const events: { customer: string | null; reason: string }[] = body.provider_events;
  return events
    .filter(({ customer }) => customer?.startsWith(session.customer))
    .map(({ reason }) => reason)
    .toReversed();
}

async function expectSameByMcp({ key }: Customer): Promise<void> {
  const client = await connect(service, key);
  const { structuredContent } = await client.callTool({ name: 'get_account', arguments: {} });
  await client.close();
  const { body } = await service.call('GET', '/api/v1/me', { as: key });
  expect(structuredContent).toMatchObject({ entitlement_summary: body.entitlement_summary });
}

async function whoami({ key }: Customer): Promise<string> {
  const env = { XDG_CONFIG_HOME: '/nonexistent', ATELIER_URL: service.url, ATELIER_KEY: key };
  const { out, err } = await runToEnd(run, ['whoami'], { env });
  return out + err;
}
