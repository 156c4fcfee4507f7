import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOperator, signUp, type TestPerson } from '../../test/support/people.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { verifyPrices } from './verify-prices.ts';

let service: Service;
let operator: TestPerson;
beforeAll(async () => {
  service = await createService({ LOG_LEVEL: 'fatal' });
  operator = await makeOperator(service);
});
afterAll(() => service.close());

const list = (as = operator.token) => service.call('GET', '/api/operator/v1/prices', { as });

test('200: in the order of the plans, with what came of the last check', async () => {
  const { body: before } = await list();
  expect(before).toMatchObject({ checkout_available: false, livemode: false });
  const never = { verified: false, reason: 'the price was not verified yet', checked_at: null };
  expect(before.prices).toMatchObject([
    { plan_code: 'solo', price: { unit_amount: 4900, interval: 'month' }, ...never },
    { plan_code: 'agent', ...never },
    { plan_code: 'studio', ...never },
  ]);
  await verifyPrices(service.context);
  const { status, body } = await list();
  expect([status, body.checkout_available]).toEqual([200, true]);
  expect(body.prices[0]).toMatchObject({ verified: true, reason: null });
  expect(Math.abs(Date.parse(body.prices[0].checked_at) - Date.now())).toBeLessThan(60_000);
});

test('403 role_required: for operators only', async () => {
  expect((await list((await signUp(service)).token)).body.error.code).toBe('role_required');
});
