import { beforeAll, expect, test } from 'vitest';
import { newCustomer, newJob, setPlan } from '../../test/support/jobs.ts';
import { makeKey } from '../../test/support/people.ts';
import { grant } from '../../test/support/plans.ts';
import { sharedService, type As, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const list = async (as: As) => {
  const { status, body } = await service.call('GET', '/api/v1/entitlements', { as });
  expect(status).toBe(200);
  return body.entitlements;
};
const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('200 with an empty list for an account that was granted nothing', async () => {
  const { person, key } = await newCustomer(service);
  expect([await list(person.token), await list(person), await list(key)]).toEqual([[], [], []]);
});

test('200 shows every field, newest grant first, to sessions and keys alike', async () => {
  const { person, key } = await newCustomer(service, 'agent');
  await newJob(service, key);
  await grant(service, person, 'solo');
  const entitlements = await list(await makeKey(service, person, ['api:read']));
  expect(entitlements.map(({ plan_code }: { plan_code: string }) => plan_code)).toEqual(['solo', 'agent']);
  expect(entitlements[1]).toEqual({
    id: expect.stringMatching(/^ent_[0-9a-z]{26}$/),
    plan_code: 'agent',
    name: 'Agent',
    access_kind: 'agent',
    status: 'active',
    unit: 'job',
    quota: 100,
    used: 1,
    remaining: 99,
    concurrency_limit: 10,
    period: { start: isTime, end: isTime },
    ends_at: null,
    paid_until: null,
    collection_paused: false,
    granted_at: isTime,
    updated_at: isTime,
  });
  const { start, end } = entitlements[1].period;
  expect(Date.parse(end) - Date.parse(start)).toBeGreaterThanOrEqual(28 * 86_400_000);
});

test('200 keeps remaining at zero where the quota shrank below what was used', async () => {
  const { person, key } = await newCustomer(service, 'agent');
  await newJob(service, key);
  await newJob(service, key);
  await setPlan(service, person, 'agent', { quota: 1 });
  expect(await list(key)).toMatchObject([{ quota: 1, used: 2, remaining: 0 }]);
});

test.each([
  ['active', 1, 'active'],
  ['active', -23, 'active'],
  ['active', -25, 'expired'],
  ['past_due', 1, 'past_due'],
  ['past_due', -1, 'past_due'],
  ['paused', 1, 'paused'],
  ['paused', -1000, 'paused'],
  ['canceled', 1, 'canceled'],
  ['canceled', -25, 'canceled'],
] as const)('200 with %s and a period that ends in %i hours as %s', async (status, endsIn, shown) => {
  const { person, key } = await newCustomer(service, 'agent');
  await setPlan(service, person, 'agent', { status, endsIn });
  expect(await list(key)).toMatchObject([{ status: shown }]);
});

test('200 whatever return parameters a browser brings back from checkout: they grant nothing', async () => {
  const { person } = await newCustomer(service);
  const { body } = await service.call('GET', '/api/v1/entitlements?session=x&plan=studio&paid=1&success=1', {
    as: person.token,
  });
  expect(body.entitlements).toEqual([]);
});

test.each(['limit=0', 'limit=101', 'cursor=x'])('400 invalid_request: %s', async (query) => {
  const { key } = await newCustomer(service);
  const { status, body } = await service.call('GET', `/api/v1/entitlements?${query}`, { as: key });
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
