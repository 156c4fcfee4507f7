import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStripeEmulator, type StripeEmulator } from '../../scripts/stripe-emulator.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { signUp } from '../../test/support/people.ts';
import { grant, sendEvent } from '../../test/support/plans.ts';
import { createStripe } from '../billing/stripe.ts';
import { supportedTypes } from '../billing/payload.ts';
import { loadCatalog } from '../catalog/load-catalog.ts';
import { checkInvoiceEvents, checkProviderEndpoints, checkSignatures } from './check-webhook.ts';
import type { Finding } from './run-checks.ts';

const publicUrl = 'https://studio.example';
const url = `${publicUrl}/api/stripe/webhook`;

let service: Service;
let emulator: StripeEmulator;
// Of its own: it examines what the whole installation received.
beforeAll(async () => {
  service = await createService();
  const { plans } = loadCatalog(fileURLToPath(new URL('../../catalog', import.meta.url)));
  emulator = await openStripeEmulator([...plans.values()]);
});
afterAll(async () => {
  await emulator.close();
  await service.close();
});
beforeEach(async () => {
  await service.context.signatures.writeNow();
  await sql`delete from webhook_signatures`.execute(service.context.db);
});

const words = (findings: readonly Finding[]) =>
  findings.map(({ status, sentence, action }) => `${status}: ${sentence} → ${action ?? 'nothing'}`);

/** As the service's row says, of times that are so many seconds ago. */
const store = (row: string) => sql.raw(`insert into webhook_signatures ${row}`).execute(service.context.db);
const signatures = async () => words(await checkSignatures(service.context.db, publicUrl));

test('nothing was posted, then an event was accepted', async () => {
  expect(await signatures()).toEqual(['ok: Nothing that looks like a signed event was ever posted. → nothing']);
  await sendEvent(service, { id: 'evt_one', type: 'customer.created', livemode: false });
  await service.context.signatures.writeNow();
  expect((await signatures())[0]).toMatch(
    /^ok: The last event was accepted on \d+ \w+ \d{4} at [:\d]+ UTC, and none was refused since/,
  );
});

test('events were refused, and none was accepted since', async () => {
  for (let n = 0; n < 7; n++)
    await sendEvent(service, { id: 'evt_two', type: 'customer.created', livemode: false }, { secret: 'whsec_wrong' });
  await service.context.signatures.writeNow();
  const [line] = await signatures();
  expect(line).toMatch(
    /^fail: 7 signed posts refused since \d+ \w+ \d{4} at [:\d]+ UTC, none accepted since: none of STRIPE_W/,
  );
  expect(line).toContain(`signing secret of the endpoint ${url} at the provider, and restart`);
});

test('the clock, the other mode, an old refusal, and a second secret that is needed', async () => {
  const refused = `(refused, refused_at, refused_since, refused_first_at, untimely_at, untimely_seconds, other_mode_at)
    values (2, now(), 2, now()`;
  await store(`${refused}, now(), -900, null)`);
  expect((await signatures())[0]).toMatch(/^fail: .* they are signed 900 s before the clock .*timedatectl/);
  await sql`delete from webhook_signatures`.execute(service.context.db);
  await store(`${refused}, null, null, now())`);
  expect((await signatures())[0]).toMatch(/^fail: .* is that of an endpoint of the other mode, test or live/);
  await sql`update webhook_signatures set refused_at = now() - interval '2 days'`.execute(service.context.db);
  expect((await signatures())[0]).toMatch(/^warn: 2 signed posts refused since/);
  await sql`delete from webhook_signatures`.execute(service.context.db);
  await store(`(accepted_at, first_matched_at) values (now(), now() - interval '2 hours')`);
  expect((await signatures())[0]).toMatch(/^warn: Events match only the second of STRIPE_WEBHOOK_SECRET/);
});

const compare = async (key = 'sk_test_emulated', address = emulator.url) =>
  words(await checkProviderEndpoints(createStripe({ secretKey: key, apiUrl: address }), publicUrl));
const endpoint = (fields: object = {}) => ({ url, status: 'enabled', enabled_events: ['*'], ...fields });
const subscriptions = ['created', 'updated', 'deleted', 'paused', 'resumed'].map(
  (name) => `customer.subscription.${name}`,
);

test('the endpoint at the provider: every type, some types, none', async () => {
  emulator.endpoints = [endpoint(), endpoint({ url: 'https://other.example/hook' })];
  expect(await compare()).toEqual([`ok: The provider posts every type that is read to ${url}. → nothing`]);
  emulator.endpoints = [endpoint({ url: `${url}?from=stripe`, enabled_events: [...supportedTypes.keys()] })];
  expect((await compare())[0]).toMatch(/^ok/);
  emulator.endpoints = [endpoint({ enabled_events: [...subscriptions, 'invoice.paid', 'charge.refunded'] })];
  expect(await compare()).toEqual([
    `warn: The endpoint ${url} does not send invoice.payment_failed, invoice.voided, invoice.marked_uncollectible, charge.dispute.created. → Add these types to it at the provider.`,
  ]);
  emulator.endpoints = [endpoint({ enabled_events: ['customer.subscription.created', 'invoice.paid'] })];
  expect((await compare())[0]).toMatch(/^fail: .* does not send customer\.subscription\.updated, /);
});

test('no endpoint, one elsewhere, a disabled one, two, and a key that may not look', async () => {
  emulator.endpoints = [endpoint({ url: 'https://old.example/api/stripe/webhook' })];
  expect((await compare('sk_live_emulated'))[0]).toMatch(
    /^fail: The provider has no endpoint .* It has https:\/\/old\.example\/api\/stripe\/webhook\. → Add it there .*invoice/,
  );
  expect((await compare())[0]).toMatch(/^warn: .* Not needed where stripe listen forwards/);
  emulator.endpoints = [endpoint({ status: 'disabled' })];
  expect((await compare())[0]).toMatch(/^fail: The endpoint .* is disabled at the provider/);
  emulator.endpoints = [endpoint(), endpoint()];
  expect((await compare())[1]).toMatch(/^warn: The provider has 2 enabled endpoints/);
  emulator.endpoints = null;
  expect((await compare('rk_live_emulated'))[0]).toMatch(/^warn: The key may not list the webhook endpoints/);
  await expect(compare('sk_test_emulated', 'http://127.0.0.1:9')).rejects.toThrow('connection');
});

test('renewals without the invoices that pay them', async () => {
  const { db } = service.context;
  const invoices = async () => words(await checkInvoiceEvents(db));
  await grant(service, await signUp(service), 'solo');
  expect(await invoices()).toEqual([]); // its first period
  await sql`update entitlements set granted_at = now() - interval '31 days'`.execute(db);
  await sql`update provider_events set received_at = now() - interval '36 days' where type = 'invoice.paid'`.execute(
    db,
  );
  expect(await invoices()).toEqual([
    'warn: 1 plan renewed within 35 days, but no invoice.paid came: whether somebody paid is not known. → Let the endpoint at the provider send invoice.paid, invoice.payment_failed, invoice.voided, invoice.marked_uncollectible, too.',
  ]);
  await sendEvent(service, { id: 'evt_three', type: 'invoice.paid', livemode: false });
  expect(await invoices()).toEqual([]);
  await sql`update provider_events set received_at = now() - interval '36 days'`.execute(db);
  expect(await invoices()).toHaveLength(1);
  await sql`update entitlement_periods set period_start = now() - interval '36 days'`.execute(db);
  expect(await invoices()).toEqual([]);
});
