import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyPrices } from '../../server/billing/verify-prices.ts';
import type { Plan } from '../../server/catalog/catalog.ts';
import { loadCatalog } from '../../server/catalog/load-catalog.ts';
import { openStripeEmulator, type StripeEmulator } from '../../scripts/stripe-emulator.ts';
import { findHistory, rehearse } from '../../scripts/stripe-rehearsal.ts';
import { createService, type Service } from '../support/harness.ts';
import { signUp } from '../support/people.ts';
import { histories } from '../support/stripe-histories.ts';

const plans: readonly Plan[] = [
  ...loadCatalog(fileURLToPath(new URL('../../catalog', import.meta.url))).plans.values(),
];

let emulator: StripeEmulator;
let service: Service;
beforeAll(async () => {
  emulator = await openStripeEmulator(plans);
  service = await createService({
    STRIPE_SECRET_KEY: 'sk_test_emulated',
    STRIPE_API_URL: emulator.url,
    STRIPE_WEBHOOK_SECRET: emulator.secret,
  });
  emulator.webhookUrl = `${service.url}/api/stripe/webhook`;
  await verifyPrices(service.context);
});
afterAll(async () => {
  await service.close();
  await emulator.close();
});

test('a paid checkout at the emulator plays a history, and says what the service answered to each event', async () => {
  const ada = await signUp(service);
  const lines: string[] = [];
  const rehearsed = new Promise<void>((resolve) => {
    emulator.play = (session) => {
      const played = rehearse(emulator, findHistory('renewal-fails'), session, plans, (line) => lines.push(line), {
        pause: 1000,
      });
      void played.then(resolve);
    };
  });
  const { body } = await service.call('POST', '/api/checkout/tier', { as: ada.token, body: { plan_code: 'studio' } });
  const { url, customer } = body.checkout;
  expect((await fetch(`${url}/complete`, { method: 'POST', redirect: 'manual' })).status).toBe(302);
  const seen = async () => {
    const { entitlements } = (await service.call('GET', '/api/v1/entitlements', { as: ada.token })).body;
    return entitlements.map(({ status }: { status: string }) => status);
  };
  await expect.poll(seen, { interval: 50 }).toEqual(['active']);
  await expect.poll(seen, { interval: 50 }).toEqual(['past_due']);
  await rehearsed;
  expect(await seen()).toEqual(['canceled']);
  expect(lines).toEqual([
    `\n${customer} plays renewal-fails`,
    '  day 0   customer.subscription.created (active)          200 processed',
    '  day 0   invoice.paid (paid)                             200 processed',
    '  day 30  customer.subscription.updated (active)          200 processed',
    '  day 30  invoice.payment_failed (open)                   200 processed',
    '  day 30  customer.subscription.updated (past_due)        200 processed',
    '  day 33  invoice.payment_failed (open)                   200 processed',
    '  day 37  invoice.payment_failed (open)                   200 processed',
    '          = failed',
    '  day 37  customer.subscription.deleted (canceled)        200 processed',
    '          = canceled',
    `${customer} is through`,
  ]);
});

test('--play without a name lists the histories; an unknown one is refused with the list', () => {
  const play = (...words: string[]) =>
    spawnSync(process.execPath, ['scripts/stripe-emulator.ts', '--play', ...words], { encoding: 'utf8' });
  const [listed, refused] = [play(), play('nothing')];
  expect([listed.status, listed.stderr, refused.status, refused.stdout]).toEqual([0, '', 1, '']);
  for (const { name, about } of histories) expect(listed.stdout).toMatch(new RegExp(`^  ${name} +${about}$`, 'm'));
  expect(refused.stderr).toBe(`There is no history nothing. ${listed.stdout}`);
});
