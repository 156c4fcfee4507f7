import { beforeAll, expect, test } from 'vitest';
import { newCustomer, setPlan } from '../../test/support/jobs.ts';
import { addMember, makeKey, signIn } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';
import { sharedService, type As, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const me = async (as: As) => {
  const { status, body } = await service.call('GET', '/api/v1/me', { as });
  expect(status).toBe(200);
  return body;
};
const none = {
  active: false,
  dashboard_access: false,
  api_access: false,
  plan_codes: [],
  paused: [],
  past_due: [],
  plans: [],
};

test('200 for a session: account, user, role, scopes, entitlements; no CSRF token for a bearer', async () => {
  const { person } = await newCustomer(service);
  expect(await me(person.token)).toEqual({
    account: { id: showId('acct', person.accountId), name: 'Ada Lovelace', suspended_since: null },
    user: { id: showId('user', person.userId), name: 'Ada Lovelace', email: person.email },
    auth: { method: 'session' },
    role: 'owner',
    orders: 'direct',
    viewed_until: null,
    scopes: ['api:read', 'api:write'],
    entitlement_summary: none,
  });
});

test('200 for a cookie: a CSRF token of this session and of no other', async () => {
  const { person } = await newCustomer(service);
  const again = await signIn(service, person.email);
  const { csrf_token: token, ...rest } = await me({ cookie: person.cookie });
  expect(rest).toEqual(await me(person.token));
  expect((await me(again)).csrf_token).not.toBe(token);
  const make = (csrf: string) =>
    service.call('POST', '/api/v1/api-keys', { as: { cookie: person.cookie, csrf }, body: { name: 'k' } });
  expect((await make(token)).status).toBe(201);
  expect((await make((await me(again)).csrf_token)).body.error.code).toBe('csrf_token_invalid');
});

test('200 for a key: no user, no role, its own scopes and prefix', async () => {
  const { person } = await newCustomer(service);
  const key = await makeKey(service, person, ['api:read']);
  expect(await me(key)).toEqual({
    account: { id: showId('acct', person.accountId), name: 'Ada Lovelace', suspended_since: null },
    auth: {
      method: 'api_key',
      api_key: { id: expect.stringMatching(/^key_[0-9a-z]{26}$/), prefix: key.split('_')[1] },
    },
    role: null,
    orders: 'direct',
    viewed_until: null,
    scopes: ['api:read'],
    entitlement_summary: none,
  });
});

test.each(['admin', 'member'] as const)('200 for a member with role %s of the account they act for', async (role) => {
  const { person } = await newCustomer(service);
  const member = await addMember(service, person, role);
  expect(await me(member.token)).toMatchObject({ role, account: { id: showId('acct', person.accountId) } });
});

const running = {
  status: 'active',
  status_detail: null,
  ends_at: null,
  paid_until: expect.any(String),
  collection_paused: false,
};

test.each([
  [['solo'], true, false],
  [['agent'], false, true],
  [['studio'], true, true],
  [['solo', 'agent'], true, true],
] as const)('200 with %j: dashboard access %s, API access %s', async (tiers, dashboard_access, api_access) => {
  const { person, key } = await newCustomer(service, ...tiers);
  const summary = {
    active: true,
    dashboard_access,
    api_access,
    plan_codes: tiers.toSorted(),
    paused: [],
    past_due: [],
    plans: tiers.toSorted().map((plan_code) => ({ ...running, plan_code })),
  };
  expect((await me(person.token)).entitlement_summary).toEqual(summary);
  expect((await me(key)).entitlement_summary).toEqual(summary);
});

test('200 without what is canceled or over', async () => {
  const { person, key } = await newCustomer(service, 'solo', 'agent');
  await setPlan(service, person, 'solo', { status: 'canceled' });
  await setPlan(service, person, 'agent', { endsIn: -23 });
  expect((await me(key)).entitlement_summary.plan_codes).toEqual(['agent']);
  await setPlan(service, person, 'agent', { endsIn: -25 });
  expect((await me(key)).entitlement_summary).toEqual(none);
});

test('200 with the plans that are paused, and those that are past due and serve until their period ends', async () => {
  const { person, key } = await newCustomer(service, 'solo', 'agent');
  await setPlan(service, person, 'solo', { status: 'paused' });
  await setPlan(service, person, 'agent', { status: 'past_due' });
  const overdue = { active: true, dashboard_access: false, api_access: true, plan_codes: ['agent'] };
  const plans = [
    { ...running, plan_code: 'agent', status: 'past_due' },
    { ...running, plan_code: 'solo', status: 'paused' },
  ];
  const stopped = { paused: ['solo'], past_due: ['agent'], plans };
  expect((await me(key)).entitlement_summary).toEqual({ ...overdue, ...stopped });
  await setPlan(service, person, 'agent', { endsIn: -1 });
  expect((await me(key)).entitlement_summary).toEqual({ ...none, ...stopped });
});
