import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { untilBlocked } from '../../test/support/locks.ts';
import { chargeRefunded, disputeCreated, invoicePaid, sendAll } from '../../test/support/money.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';
import { bindCustomer, sendEvent } from '../../test/support/plans.ts';

let service: Service;
let ada: TestPerson;
let customer: string;
let charge: string;
let payment_intent: string;
beforeAll(async () => void (service = await sharedService()));
beforeEach(async () => {
  ada = await signUp(service);
  customer = await bindCustomer(service, ada);
  charge = `ch_${randomUUID()}`;
  payment_intent = `pi_${randomUUID()}`;
});

const october = new Date('2026-10-05T10:00:00Z');
const november = new Date('2026-11-05T10:00:00Z');

const rowOf = async (kind: string, id: string) => {
  const row = await service.context.db
    .selectFrom('provider_payments')
    .selectAll()
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { ...row, amount: Number(row.amount) };
};
const ofAda = () => ({ account_id: ada.accountId });

describe('an invoice', () => {
  test.each(['before 2025-03-31', 'since 2025-03-31'] as const)(
    'is recorded with plan, period, charge and time, in the shape %s',
    async (shape) => {
      const subscription = `sub_${randomUUID()}`;
      const event = invoicePaid(service, { customer, subscription, charge, payment_intent, paidAt: october, shape });
      await sendEvent(service, { ...event, created: event.created + 90 });
      expect(await rowOf('invoice', event.data.object.id)).toMatchObject({
        ...ofAda(),
        customer,
        subscription,
        charge,
        payment_intent,
        plan_code: 'studio',
        amount: service.context.catalog.plans.get('studio')!.price.unit_amount,
        currency: 'usd',
        period_start: october,
        happened_at: october,
        event_id: event.id,
      });
    },
  );

  test('of nothing, as of a trial, is a paid period', async () => {
    const event = invoicePaid(service, { customer, amount: 0 });
    await sendEvent(service, event);
    expect(await rowOf('invoice', event.data.object.id)).toMatchObject({ amount: 0, period_start: expect.any(Date) });
  });

  test.each(['before 2025-03-31', 'since 2025-03-31'] as const)(
    'of a fee that was added pays no period, in the shape %s',
    async (shape) => {
      const event = invoicePaid(service, { customer, plan: null, amount: 700, isAdded: true, shape });
      await sendEvent(service, event);
      expect(await rowOf('invoice', event.data.object.id)).toMatchObject({ amount: 700, period_start: null });
    },
  );

  test('that only settles a change pays no period, and is of the plan that is charged', async () => {
    const event = invoicePaid(service, { customer, plan: 'agent', amount: 700, settles: true });
    await sendEvent(service, event);
    expect(await rowOf('invoice', event.data.object.id)).toMatchObject({ plan_code: 'agent', period_start: null });
  });

  test('of another price is money of no plan', async () => {
    const event = invoicePaid(service, { customer, plan: null });
    await sendEvent(service, event);
    expect(await rowOf('invoice', event.data.object.id)).toMatchObject({ ...ofAda(), plan_code: null, amount: 5_000 });
  });

  test.each([
    ['of an unknown customer', { customer: 'cus_unknown' }, {}],
    ['of the other mode', {}, { livemode: true }],
    ['without a whole amount', { amount: 12.5 }, {}],
  ])('%s is not recorded', async (_, invoice, fields) => {
    const event = { ...invoicePaid(service, { customer, ...invoice }), ...fields };
    await sendEvent(service, event);
    expect(await rowOf('invoice', event.data.object.id)).toBeUndefined();
  });
});

describe('a refund', () => {
  test('counts its largest amount and the day of that, in any order', async () => {
    const part = chargeRefunded({ charge, customer, amount: 300, at: october });
    const all = chargeRefunded({ charge, customer, amount: 900, at: november });
    const seen = [];
    for (const events of [
      [part, all],
      [all, part],
    ]) {
      await service.context.db.deleteFrom('provider_payments').where('id', '=', charge).execute();
      await sendAll(
        service,
        events.map((event) => ({ ...event, id: `evt_${randomUUID()}` })),
      );
      seen.push(await rowOf('refund', charge));
    }
    for (const row of seen) expect(row).toMatchObject({ ...ofAda(), amount: 900, happened_at: november });
  });

  test('of an unknown customer without a known payment is another product', async () => {
    await sendEvent(service, chargeRefunded({ charge, customer: 'cus_unknown' }));
    expect(await rowOf('refund', charge)).toBeUndefined();
  });

  test('that came before the invoice which names its payment is recorded with that', async () => {
    await sendAll(service, [
      chargeRefunded({ charge, payment_intent, amount: 400 }),
      invoicePaid(service, { customer, payment_intent }),
    ]);
    expect(await rowOf('refund', charge)).toMatchObject({ ...ofAda(), amount: 400 });
  });
});

describe('a dispute', () => {
  test.each(['charge', 'payment_intent'] as const)('is of the account whose payment it names by %s', async (name) => {
    const known = { [name]: { charge, payment_intent }[name] };
    for (const order of ['invoice first', 'dispute first']) {
      const id = `du_${randomUUID()}`;
      const events = [invoicePaid(service, { customer, ...known }), disputeCreated({ id, charge, payment_intent })];
      await sendAll(service, order === 'invoice first' ? events : events.toReversed());
      expect([order, await rowOf('dispute', id)]).toMatchObject([order, ofAda()]);
      charge = `ch_${randomUUID()}`;
      payment_intent = `pi_${randomUUID()}`;
      known[name] = { charge, payment_intent }[name];
    }
  });

  test('is of the account whose refund it names', async () => {
    const dispute = disputeCreated({ charge });
    await sendAll(service, [dispute, chargeRefunded({ charge, customer })]);
    expect(await rowOf('dispute', dispute.data.object.id)).toMatchObject(ofAda());
  });

  test('of no known payment is of an unknown customer', async () => {
    const dispute = disputeCreated({ charge, amount: 4_200 });
    await sendEvent(service, dispute);
    expect(await rowOf('dispute', dispute.data.object.id)).toMatchObject({ account_id: null, amount: 4_200 });
  });
});

test('events about one payment that arrive at once find each other', async () => {
  const { db } = service.context;
  const dispute = disputeCreated({ charge });
  const earlier = invoicePaid(service, { customer });
  const invoice = invoicePaid(service, { customer, charge });
  await sendEvent(service, earlier);
  const started = await db.startTransaction().execute();
  const row = { id: dispute.data.object.id, event_id: earlier.id, happened_at: october, event_created_at: october };
  const columns = { ...row, kind: 'dispute', amount: 1, currency: 'usd', livemode: false };
  await started.insertInto('provider_payments').values(columns).execute();
  // It has found no payment, and waits to be written.
  const first = sendEvent(service, dispute);
  await untilBlocked(db, 1);
  const second = sendEvent(service, invoice);
  await Promise.race([second, untilBlocked(db, 2)]);
  await started.rollback().execute();
  await Promise.all([first, second]);
  expect(await rowOf('dispute', dispute.data.object.id)).toMatchObject(ofAda());
});

test('the same payment by several events and repeats is one row', async () => {
  const first = invoicePaid(service, { customer, paidAt: october });
  const second = { ...first, id: `evt_${randomUUID()}`, created: first.created + 5 };
  await sendAll(service, [second, first, second]);
  expect(await rowOf('invoice', first.data.object.id)).toMatchObject({ event_id: first.id });
});
