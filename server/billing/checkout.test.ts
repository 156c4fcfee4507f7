import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { signUp } from '../../test/support/people.ts';
import { keepCheckout } from './checkout.ts';
import { bindCustomer } from './customer.ts';

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});

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
    const kept = await Promise.all(Array.from({ length: 6 }, () => keepCheckout(db, checkout, null)));
    expect(new Set(kept.map((one) => one?.id))).toEqual(new Set([checkout.id]));
  }
});

test('an answer that comes late, after the one that followed it was replaced, is not handed out again', async () => {
  const { db } = service.context;
  const { accountId: account_id } = await signUp(service);
  const customer = await bindCustomer(db, 'stripe_test', account_id, 'cus_2');
  const expires_at = new Date(Date.now() + 60_000);
  const checkout = { id: 'cs_first', account_id, customer, code: 'agent', price: 'p', url: 'u', expires_at };
  const replace = () => db.updateTable('checkouts').set({ replaced_at: new Date() }).execute();
  expect(await keepCheckout(db, checkout, null)).toMatchObject({ id: 'cs_first' });
  await replace();
  expect(await keepCheckout(db, { ...checkout, id: 'cs_second' }, 'cs_first')).toMatchObject({ id: 'cs_second' });
  await replace();
  expect(await keepCheckout(db, checkout, null)).toBeNull();
});
