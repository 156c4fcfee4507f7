import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { signUp } from '../../test/support/people.ts';
import { keepCheckout } from './checkout.ts';
import { bindCustomer } from './customer.ts';

let service: Service;
beforeAll(async () => {
  service = await createService();
});
afterAll(() => service.close());

test('requests of one moment that the provider answered alike keep one checkout, and none fails', async () => {
  const { db } = service.context;
  const { accountId: account_id } = await signUp(service);
  const customer = await bindCustomer(db, 'stripe_test', account_id, 'cus_1');
  for (let round = 0; round < 50; round++) {
    const expires_at = new Date(Date.now() + 60_000);
    const checkout = {
      id: `cs_${round}`,
      account_id,
      customer,
      code: `tier-${round}`,
      price: 'p',
      url: 'u',
      expires_at,
    };
    const kept = await Promise.all(Array.from({ length: 6 }, () => keepCheckout(db, checkout)));
    expect(new Set(kept.map((one) => one?.id))).toEqual(new Set([checkout.id]));
  }
});
