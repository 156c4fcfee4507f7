import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeOperator, signUp, type TestPerson } from '../../test/support/people.ts';
import { bindCustomer, seconds, sendEvent, subscriptionEvent } from '../../test/support/plans.ts';
import { type As, createService, type Service } from '../../test/support/harness.ts';
import type { Plan } from '../catalog/catalog.ts';
import { showId } from '../lib/id.ts';

let service: Service;
let ada: TestPerson;
let operator: TestPerson;
let names: { accountId: string; customer: string; subscription: string };
const second = seconds(Date.now());

beforeAll(async () => {
  service = await createService({ LOG_LEVEL: 'fatal' });
  operator = await makeOperator(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  ada = await signUp(service);
  const subscription = `sub_${randomUUID()}`;
  names = { accountId: ada.accountId, customer: await bindCustomer(service, ada), subscription };
});

const event = (tier: string, fields: Parameters<typeof subscriptionEvent>[3] = {}) =>
  subscriptionEvent(service, names, tier, fields);
const review = (id: string, as: As = operator.token) =>
  service.call('POST', `/api/operator/v1/provider-events/${id}/review`, { as });
const entitlements = async () =>
  (await service.call('GET', '/api/v1/entitlements', { as: ada.token })).body.entitlements;

/** Simulates an operator who fixes plans.yaml and restarts, while `run` runs. */
async function withPlan<T>(code: string, change: Partial<Plan> | null, run: () => Promise<T>): Promise<T> {
  const plans = service.context.catalog.plans as Map<string, Plan>;
  const kept = plans.get(code)!;
  if (change) plans.set(code, { ...kept, ...change });
  else plans.delete(code);
  try {
    return await run();
  } finally {
    plans.set(code, kept);
  }
}

/** An event that arrived while plans.yaml lacked the plan. */
async function ignoredEvent(tier: string, fields?: Parameters<typeof subscriptionEvent>[3]) {
  const given = event(tier, fields);
  const { body } = await withPlan(tier, null, () => sendEvent(service, given));
  expect(body.status).toBe('ignored');
  return given;
}

describe('re-evaluated', () => {
  test('200: it grants once its cause is fixed, and tells who asked, when, and what came of it', async () => {
    const given = await ignoredEvent('studio', { created: second });
    expect(await entitlements()).toEqual([]);
    const { status, body } = await review(given.id);
    expect(status).toBe(200);
    expect(body.provider_event).toMatchObject({
      id: given.id,
      outcome: 'processed',
      reason: null,
      account_id: showId('acct', ada.accountId),
      payload: JSON.parse(JSON.stringify(given)),
      reviews: [
        {
          reviewed_by: { kind: 'user', id: showId('user', operator.userId), name: 'Operator' },
          outcome: 'processed',
          reason: null,
        },
      ],
    });
    expect(Math.abs(Date.parse(body.provider_event.reviews[0].reviewed_at) - Date.now())).toBeLessThan(60_000);
    expect(await entitlements()).toMatchObject([{ plan_code: 'studio', status: 'active', quota: 500, used: 0 }]);
    const { body: list } = await service.call('GET', '/api/operator/v1/provider-events', { as: operator.token });
    expect(list.provider_events[0]).toEqual(body.provider_event);
  });

  test('200: for a customer that is bound by now', async () => {
    names.customer = `cus_${randomUUID()}`;
    const given = event('agent', { created: second });
    expect((await sendEvent(service, given)).body.status).toBe('ignored');
    expect((await review(given.id)).body.provider_event).toMatchObject({ outcome: 'ignored', account_id: null });
    await service.context.db
      .insertInto('provider_customers')
      .values({ customer: names.customer, account_id: ada.accountId, provider: 'stripe_test' })
      .execute();
    const { body } = await review(given.id);
    expect(body.provider_event.reviews).toMatchObject([{ reason: 'unbound customer' }, { outcome: 'processed' }]);
    expect(await entitlements()).toHaveLength(1);
  });

  test('200: one that would still be ignored stays so, with its reason of today', async () => {
    const given = await ignoredEvent('studio');
    const cheaper = { price: { ...service.context.catalog.plans.get('studio')!.price, unit_amount: 1 } };
    const { status, body } = await withPlan('studio', cheaper, () => review(given.id));
    expect(status).toBe(200);
    expect(body.provider_event).toMatchObject({ outcome: 'ignored', reason: 'wrong amount' });
    expect(body.provider_event.reviews).toMatchObject([{ outcome: 'ignored', reason: 'wrong amount' }]);
    expect(await entitlements()).toEqual([]);
  });

  test('200: a paid invoice counts once the catalog knows its price', async () => {
    const period = { current_period_start: second, current_period_end: second + 86_400 };
    const created = event('studio', { created: second, object: period });
    const price = service.context.catalog.plans.get('studio')!.price.id;
    const invoice = {
      ...event('studio', { type: 'invoice.paid', created: second }),
      data: {
        object: {
          id: `in_${randomUUID()}`,
          customer: names.customer,
          subscription: names.subscription,
          amount_paid: 49_900,
          currency: 'usd',
          lines: { data: [{ period: { start: second, end: second + 86_400 }, price: { id: price } }] },
        },
      },
    };
    await withPlan('studio', null, async () => {
      await sendEvent(service, created);
      await sendEvent(service, invoice);
    });
    await review(created.id);
    expect(await entitlements()).toMatchObject([{ paid_until: new Date((second + 86_400) * 1000).toISOString() }]);
    const planOf = () =>
      service.context.db.selectFrom('provider_payments').select('plan_code').where('event_id', '=', invoice.id);
    expect(await planOf().execute()).toEqual([{ plan_code: null }]);
    await review(invoice.id);
    expect(await planOf().execute()).toEqual([{ plan_code: 'studio' }]);
  });

  test('200: one whose form this version knows grants', async () => {
    const given = await ignoredEvent('studio', { created: second });
    await service.context.db
      .updateTable('provider_events')
      .set({ subscription: null, customer: null, reason: '/data/object: not of the form that the provider documents' })
      .where('id', '=', given.id)
      .execute();
    await review(given.id);
    expect(await entitlements()).toMatchObject([{ plan_code: 'studio', status: 'active' }]);
  });

  test('200: in its old place: what came after it stays', async () => {
    const given = await ignoredEvent('solo', { created: second });
    await sendEvent(service, event('studio', { created: second + 1 }));
    const { body } = await review(given.id);
    expect(body.provider_event).toMatchObject({ reason: 'older than what is already applied' });
    expect(await entitlements()).toMatchObject([{ plan_code: 'studio' }]);
  });

  test('200: after the end of the subscription it grants nothing', async () => {
    const given = await ignoredEvent('studio', { type: 'customer.subscription.created', created: second });
    await sendEvent(service, event('studio', { type: 'customer.subscription.deleted', created: second + 1 }));
    expect((await review(given.id)).body.provider_event.outcome).toBe('ignored');
    const { body } = await service.call('GET', '/api/v1/me', { as: ada.token });
    expect(body.entitlement_summary.active).toBe(false);
  });

  test('200: a processed event is answered as it is, and nothing is recorded', async () => {
    const given = event('studio', { created: second });
    await sendEvent(service, given);
    await sendEvent(service, event('agent', { created: second + 1 }));
    const { status, body } = await review(given.id);
    expect(status).toBe(200);
    expect(body.provider_event).toMatchObject({ outcome: 'processed', reviews: [] });
    expect(await entitlements()).toMatchObject([{ plan_code: 'agent' }]);
  });

  test('200: an event of a type that changes nothing stays ignored', async () => {
    const id = `evt_${randomUUID()}`;
    await sendEvent(service, { id, type: 'charge.succeeded', livemode: false });
    expect((await review(id)).body.provider_event).toMatchObject({ outcome: 'ignored', reason: 'unsupported type' });
  });

  test('200: ten at once grant once, and one of them is recorded', async () => {
    const given = await ignoredEvent('studio');
    const answers = await Promise.all(Array.from({ length: 10 }, () => review(given.id)));
    const said = answers.map(({ status, body }) => `${status} ${body.provider_event.outcome}`);
    expect([...new Set(said)]).toEqual(['200 processed']);
    expect((await review(given.id)).body.provider_event.reviews).toHaveLength(1);
    expect(await entitlements()).toHaveLength(1);
  });

  test('a copy that the provider sends during the review is still a duplicate', async () => {
    const given = await ignoredEvent('studio');
    const [, copy] = await Promise.all([review(given.id), sendEvent(service, given)]);
    expect(copy?.body.status).toBe('duplicate');
    expect(await entitlements()).toHaveLength(1);
  });
});

describe('refusals', () => {
  test.each(['evt_unknown', 'x', '%00', 'a%2Fb', 'x'.repeat(300)])('404 provider_event_not_found: %s', async (id) => {
    const { status, body } = await review(id);
    expect([status, body.error.code]).toEqual([404, 'provider_event_not_found']);
  });

  test('403: not for a customer, nor by cookie without the token', async () => {
    const given = await ignoredEvent('studio');
    const codes = [];
    for (const as of [ada.token, { cookie: operator.cookie }]) codes.push((await review(given.id, as)).body.error.code);
    expect(codes).toEqual(['role_required', 'csrf_token_invalid']);
    expect(await entitlements()).toEqual([]);
  });
});
