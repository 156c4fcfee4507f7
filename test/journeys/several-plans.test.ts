import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { activeJobsOf, createJob, post, usedOf } from '../support/jobs.ts';
import { makeKey, signUp, type TestPerson } from '../support/people.ts';
import { bindCustomer, seconds, sendEvent, subscriptionEvent } from '../support/plans.ts';
import { type As, createService, type Service } from '../support/harness.ts';

let service: Service;
let ada: TestPerson;
let key: string;
let customer: string;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());
beforeEach(async () => {
  ada = await signUp(service);
  key = await makeKey(service, ada);
  customer = await bindCustomer(service, ada);
});

/** Another subscription of the account, whose period ends in so many days; with another quota than its plan's if given. */
async function subscribe(tier: string, days: number, quota?: number): Promise<string> {
  const subscription = `sub_${randomUUID()}`;
  const now = seconds(Date.now());
  const object = { current_period_start: now - 86_400, current_period_end: now + days * 86_400 };
  const names = { accountId: ada.accountId, customer, subscription };
  const { body } = await sendEvent(service, subscriptionEvent(service, names, tier, { object }));
  expect(body.status).toBe('processed');
  if (quota !== undefined)
    await service.context.db
      .updateTable('entitlements')
      .set({ quota })
      .where('subscription', '=', subscription)
      .execute();
  return subscription;
}

/** Which plan paid for a new job, or why none did. */
async function paidBy(as: As): Promise<string> {
  const { status, body } = await createJob(service, as);
  if (status !== 201) return body.error.code;
  const { body: read } = await service.call('GET', `/api/v1/jobs/${body.job.id}`, { as: key });
  return read.job.plan_code;
}

/** The summary by entitlement and the totals, which must be what the ledger says. */
async function usage() {
  const { totals, summaries } = (await service.call('GET', '/api/v1/usage', { as: key })).body.usage;
  const { rows } = await sql<{ code: string; sum: number }>`
    select plan_code as code, sum(quantity)::int as sum from usage_ledger
    where account_id = ${ada.accountId} group by 1`.execute(service.context.db);
  const ledger = new Map(rows.map(({ code, sum }) => [code, sum]));
  const lines: { key: string; quantity: number; quota: number; remaining: number }[] = summaries.by_entitlement;
  for (const { key: code, quantity } of lines) expect(quantity, code).toBe(ledger.get(code) ?? 0);
  expect(totals.quantity).toBe([...ledger.values()].reduce((all, one) => all + one, 0));
  expect(totals.remaining).toBe(lines.reduce((all, { remaining }) => all + remaining, 0));
  return Object.fromEntries(lines.map((line) => [line.key, [line.quantity, line.quota, line.remaining]]));
}

test('a human and an agent plan: sessions are paid by the one, keys by the other', async () => {
  await subscribe('solo', 10);
  await subscribe('agent', 20);
  expect([await paidBy(ada.token), await paidBy(key), await paidBy(key)]).toEqual(['solo', 'agent', 'agent']);
  expect(await usage()).toEqual({ agent: [2, 100, 98], solo: [1, 5, 4] });
  expect(await usedOf(service, ada)).toEqual({ agent: 2, solo: 1 });
});

test('the plan whose period ends first pays while it has room, then the next', async () => {
  await subscribe('studio', 20);
  await subscribe('agent', 5, 2);
  await subscribe('solo', 10, 1);
  const payers = [];
  for (const as of [key, key, key, ada.token, ada.token, key]) payers.push(await paidBy(as));
  expect(payers).toEqual(['agent', 'agent', 'studio', 'solo', 'studio', 'studio']);
  expect(await usage()).toEqual({ agent: [2, 2, 0], solo: [1, 1, 0], studio: [3, 500, 497] });
});

test('two agent plans of one code are one line of usage', async () => {
  await subscribe('agent', 20);
  await subscribe('agent', 5, 1);
  expect([await paidBy(key), await paidBy(key), await paidBy(ada.token)]).toEqual([
    'agent',
    'agent',
    'entitlement_required',
  ]);
  expect(await usage()).toEqual({ agent: [2, 101, 99] });
  const { body } = await service.call('GET', '/api/v1/entitlements', { as: key });
  expect(body.entitlements.map(({ used }: { used: number }) => used).toSorted()).toEqual([1, 1]);
});

test('the limits on active jobs add up over all plans, for people and keys', async () => {
  await subscribe('solo', 10, 10);
  await subscribe('agent', 20);
  await service.context.db
    .updateTable('entitlements')
    .set({ concurrency_limit: 2 })
    .where('account_id', '=', ada.accountId)
    .execute();
  const payers = [];
  for (const as of [key, key, ada.token, key, ada.token]) payers.push(await paidBy(as));
  const refused = 'concurrency_limit_exceeded';
  expect(payers).toEqual(['agent', 'agent', 'solo', 'agent', refused]);
  expect(await activeJobsOf(service, ada)).toBe(4);
});

test('a canceled job gives back to the plan that paid, also when that plan has ended', async () => {
  const solo = await subscribe('solo', 5);
  await subscribe('studio', 20);
  const { body } = await createJob(service, ada.token);
  await paidBy(ada.token);
  expect(await usage()).toEqual({ solo: [2, 5, 3], studio: [0, 500, 500] });
  const names = { accountId: ada.accountId, customer, subscription: solo };
  await sendEvent(service, subscriptionEvent(service, names, 'solo', { type: 'customer.subscription.deleted' }));
  expect(await paidBy(ada.token)).toBe('studio');
  expect((await post(service, ada.token, `/api/v1/jobs/${body.job.id}/cancel`)).status).toBe(200);
  expect(await usedOf(service, ada)).toEqual({ solo: 1, studio: 1 });
});
