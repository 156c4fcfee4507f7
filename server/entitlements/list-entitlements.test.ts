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
    status_detail: null,
    ends_at: null,
    paid_until: isTime,
    collection_paused: false,
    unit: 'job',
    quota: 100,
    used: 1,
    remaining: 99,
    concurrency_limit: 10,
    period: { start: isTime, end: isTime },
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
  ['stopped', 1, 'stopped'],
  ['stopped', -1000, 'stopped'],
  ['canceled', 1, 'canceled'],
  ['canceled', -25, 'canceled'],
] as const)('200 with %s and a period that ends in %i hours as %s', async (status, endsIn, shown) => {
  const { person, key } = await newCustomer(service, 'agent');
  await setPlan(service, person, 'agent', { status, endsIn });
  expect(await list(key)).toMatchObject([{ status: shown }]);
});

const soon = new Date('2998-05-06T12:30:00Z');
const gone = new Date('2020-05-06T12:30:00Z');
test.each([
  ['a trial', { state: 'trialing' }, { status: 'active', status_detail: 'trial' }],
  [
    'a trial that is over',
    { state: 'trialing', endsIn: -1, serves_until: gone },
    { status: 'expired', status_detail: 'trial' },
  ],
  ['a period that nobody pays', { status: 'past_due', state: 'active' }, { status_detail: 'not_paid' }],
  ['an overdue payment', { status: 'past_due', state: 'past_due' }, { status_detail: null }],
  ['an end', { ends_at: soon }, { status: 'active', ends_at: soon.toISOString() }],
  ['an end that has come', { ends_at: gone }, { status: 'canceled', ends_at: gone.toISOString() }],
  ['a paid period', { paid_until: soon }, { status: 'active', paid_until: soon.toISOString() }],
  [
    'payments that the studio has paused',
    { collection_paused: true },
    { status: 'active', status_detail: null, collection_paused: true },
  ],
  [
    'payments that the studio has paused, and a paid period that is over',
    { collection_paused: true, serves_until: gone },
    { status: 'stopped', collection_paused: true },
  ],
] as const)('200 says of %s', async (_name, change, shown) => {
  const { person, key } = await newCustomer(service, 'agent');
  await setPlan(service, person, 'agent', change);
  const [entitlement] = await list(key);
  expect(entitlement).toMatchObject(shown);
  const { body } = await service.call('GET', '/api/v1/me', { as: key });
  const { plan_code, status, status_detail, ends_at, paid_until, collection_paused } = entitlement;
  const running = { plan_code, status, status_detail, ends_at, paid_until, collection_paused };
  expect(body.entitlement_summary.plans).toEqual(status === 'canceled' || status === 'expired' ? [] : [running]);
});

test('200 names as the end of a period that nobody pays when orders end', async () => {
  const { person, key } = await newCustomer(service, 'agent');
  await setPlan(service, person, 'agent', { status: 'past_due', state: 'active', serves_until: gone });
  expect((await list(key))[0].period.end).toBe(gone.toISOString());
  expect((await service.call('GET', '/api/v1/me', { as: key })).body.entitlement_summary.active).toBe(false);
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
