import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import {
  contentOf,
  goodBodies,
  createWorld,
  pathFor,
  said,
  sendTo,
  titled,
  type World,
} from '../support/every-endpoint.ts';
import { post } from '../support/jobs.ts';
import { makeKey, newSession, signUp, type TestPerson } from '../support/people.ts';
import { type As, createService, type Service } from '../support/harness.ts';
import { sweep } from '../support/sweep.ts';

/** What the provider, or anybody, may put behind a return address. */
const parameters = 'session=cs_sandbox_1&plan=studio&paid=1&success=1&cancel=1&payment=ok';
/** Where access and quota stand. */
const tables = [
  'entitlements',
  'entitlement_periods',
  'provider_events',
  'provider_event_reviews',
  'usage_ledger',
  'quota_adjustments',
].map((name) => `public.${name}`);

let world: World;
/** Somebody without a plan. */
let bob: TestPerson;
beforeAll(async () => {
  world = await createWorld();
  bob = await signUp(world.service, 'Bob');
  await post(world.service, world.operator.token, '/api/operator/v1/jobs/claim', {}); // the only job: the queue is empty
});
afterAll(() => world.service.close());

/** Bob may hold three uploads without a plan: those of one route must not use them up for the next. */
const forgetUploads = () =>
  sql`
    update files set status = 'deleted', deleted_at = now()
    where account_id in (select account_id from members where user_id = ${bob.userId})`.execute(
    world.service.context.db,
  );

const access = async () => Object.values(await contentOf(world.service, tables));
const summary = async (as: As) => (await world.service.call('GET', '/api/v1/me', { as })).body.entitlement_summary;

/** What a route answers Bob, or the operator at the desk; each time with a session of its own, for some routes end it. */
async function answerOf(endpoint: Endpoint, query: string): Promise<string> {
  const { token } = await newSession(world.service, bob);
  const as = {
    public: null,
    visitor: null,
    person: token,
    manager: token,
    caller: token,
    operator: world.operator.token,
    desk: world.operator.token,
    guest: world.guest,
  }[endpoint.auth];
  const path = pathFor(endpoint);
  const body = endpoint.method === 'GET' ? {} : { body: goodBodies[endpoint.operationId] };
  const address = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
  return said(await sendTo(world.service, endpoint, address, { as, ...body }));
}

/** The answers that differ the second time, as the first call took the address, the name or the version. */
const secondAnswers: Record<string, string> = {
  signUp: '422 invalid_request',
  createTemplate: '422 invalid_request',
  createMacro: '422 invalid_request',
  publishCatalog: '409 catalog_changed',
};

describe('return parameters grant nothing and change nothing', () => {
  let key: string | undefined;
  test('there is something that they could change', async () => {
    expect(await summary(bob.token)).toMatchObject({ active: false, plan_codes: [] });
    expect(await summary(world.ada.token)).toMatchObject({ active: true, plan_codes: ['studio'] });
    for (const content of (await access()).slice(0, 3)) expect(content).not.toMatch(/^0 /);
  });

  // What a route answers without them it answers with them.
  sweep('each', titled(endpoints), async (endpoint) => {
    await forgetUploads();
    const before = await access();
    const [plain, withParameters] = [await answerOf(endpoint, ''), await answerOf(endpoint, parameters)];
    expect(withParameters).toBe(secondAnswers[endpoint.operationId] ?? plain);
    expect(await access()).toEqual(before);
    const { token } = await newSession(world.service, bob);
    expect(await summary(token)).toMatchObject({ active: false, dashboard_access: false, api_access: false });
    // One key for all routes: an account holds at most 100.
    key ??= await makeKey(world.service, { ...bob, token });
    expect(await summary(key)).toMatchObject({ active: false });
  });
});

test('nor do the pages that a checkout leads back to', async () => {
  const service: Service = await createService();
  const before = await contentOf(service);
  for (const path of ['/plans', '/sandbox/checkout/cs_sandbox_1/paid'])
    await fetch(`${service.url}${path}?checkout=success&${parameters}`);
  expect(await contentOf(service)).toEqual(before);
  await service.close();
});
