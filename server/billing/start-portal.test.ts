import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { setPlan } from '../../test/support/jobs.ts';
import { addMember, makeKey, signUp, type TestPerson } from '../../test/support/people.ts';
import { grant } from '../../test/support/plans.ts';
import { type As, createService, type Service } from '../../test/support/harness.ts';

let service: Service;
let ada: TestPerson;
beforeAll(async () => void (service = await createService({ LOG_LEVEL: 'fatal' })));
afterAll(() => service.close());
beforeEach(async () => {
  vi.restoreAllMocks();
  ada = await signUp(service);
  await grant(service, ada, 'solo');
});

const start = (as: As = ada.token, body?: unknown) =>
  service.call('POST', '/api/checkout/portal', { as, ...(body === undefined ? {} : { body }) });
const portal = async () => service.url + new URL((await start()).body.portal.url).pathname;
const plans = async () => {
  const { body } = await service.call('GET', '/api/v1/entitlements', { as: ada.token });
  return body.entitlements.map(
    ({ plan_code, status }: { plan_code: string; status: string }) => `${plan_code} ${status}`,
  );
};
/** Presses the button with this label as a browser would. */
async function press(page: string, label: string): Promise<Response> {
  const html = await (await fetch(page)).text();
  const form = html.split('<form ').find((one) => one.includes(`<button>${label}`));
  const action = /action="([^"]+)"/.exec(form ?? '')?.[1] ?? '';
  return fetch(service.url + action, { method: 'POST', redirect: 'manual' });
}

test('201: a page of the provider, for an owner or an admin; by cookie with the CSRF token', async () => {
  const { status, body } = await start();
  expect(status).toBe(201);
  expect(body.portal.url).toContain(`${service.context.publicUrl}/sandbox/portal/`);
  expect(Date.parse(body.portal.expires_at)).toBeGreaterThan(Date.now());
  expect((await start(ada)).status).toBe(201);
  expect((await start(await addMember(service, ada, 'admin'))).status).toBe(201);
});

test('201: at the sandbox the plan is changed, keeping what was used, and ended, by signed events', async () => {
  const page = await portal();
  const changed = await press(page, 'Change to Studio');
  expect([changed.status, changed.headers.get('location')]).toEqual([303, new URL(page).pathname]);
  expect(await plans()).toEqual(['studio active']);
  expect(await (await fetch(page)).text()).toContain('Studio, $499.00 per month');
  await press(page, 'End Studio');
  expect(await plans()).toEqual(['studio canceled']);
  expect(await (await fetch(page)).text()).toContain('There is no plan');
});

test.each([
  ['paused', 100, 'Resume Solo'],
  ['paused', -100, 'Resume Solo'],
  ['past_due', -100, 'Pay $'],
  ['stopped', -100, 'Pay $'],
] as const)(
  '201: a plan that is %s, its period ending in %i hours, is active again',
  async (status, endsIn, button) => {
    await setPlan(service, ada, 'solo', { status, endsIn });
    const page = await portal();
    expect(await (await fetch(page)).text()).not.toContain('Change to');
    expect((await press(page, button)).status).toBe(303);
    expect(await plans()).toEqual(['solo active']);
    expect((await service.call('GET', '/api/v1/me', { as: ada.token })).body.entitlement_summary.plan_codes).toEqual([
      'solo',
    ]);
  },
);

test('201, and the page of one account opens to nobody else, nor changes another one', async () => {
  const page = await portal();
  const eve = await signUp(service);
  await grant(service, eve, 'solo');
  const { subscription } = await service.context.db
    .selectFrom('entitlements')
    .select('subscription')
    .where('account_id', '=', eve.accountId)
    .executeTakeFirstOrThrow();
  expect((await fetch(`${page}/${subscription}/end`, { method: 'POST' })).status).toBe(404);
  const forged = page.replace(ada.accountId.replaceAll('-', ''), eve.accountId.replaceAll('-', ''));
  expect(forged).not.toBe(page);
  for (const path of [forged, `${page}x`, page.replace(/\.\d{10}\./, '.99999999999.')])
    expect((await fetch(path)).status).toBe(404);
  expect((await fetch(`${page}/sub_unknown/change/studio`, { method: 'POST' })).status).toBe(404);
});

test('403 entitlement_required: the account has never paid', async () => {
  const { status, body } = await start((await signUp(service)).token);
  expect([status, body.error.code]).toEqual([403, 'entitlement_required']);
  expect(body.error.action).toContain('POST /api/checkout/tier');
});

test('403: not for a member, an API key, or a cookie without the token', async () => {
  for (const as of [await addMember(service, ada, 'member'), await makeKey(service, ada), { cookie: ada.cookie }])
    expect((await start(as)).status).toBe(403);
});

test('503 checkout_unavailable: the provider cannot be reached', async () => {
  vi.spyOn(service.context.provider, 'createPortal').mockRejectedValue(new Error('connect ECONNREFUSED'));
  const { status, body, headers } = await start();
  expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'checkout_unavailable', '30']);
});
