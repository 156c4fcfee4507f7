import { readId } from '../../../server/lib/id.ts';
import { operatorOf } from '../desk.ts';
import { sendEvent } from '../provider-event.ts';
import { expect, test } from '../stage.ts';
import { newCustomer } from '../studio.ts';

test('an ignored payment event tells why, and grants the plan once its cause is fixed and it is re-evaluated @change', async ({
  service,
  openAs,
}) => {
  const { call } = service;
  const person = await newCustomer(service, 'Early Payer');
  const { account } = await call('GET', '/api/v1/me', person.token);
  const { plans } = await call('GET', '/api/v1/plans', null);
  const studio = plans.find(({ plan_code }: { plan_code: string }) => plan_code === 'studio');
  const id = `evt_early_${Date.now()}`;
  // It comes before a checkout has bound the provider's customer to the account.
  const status = await sendEvent(service, {
    id,
    type: 'customer.subscription.updated',
    livemode: false,
    data: {
      object: {
        customer: `cus_sandbox_${readId('acct', account.id)?.replaceAll('-', '')}`,
        subscription: `sub_early_${Date.now()}`,
        items: { data: [{ price: { ...studio.price, currency: undefined, interval: undefined } }] },
        metadata: { service_entitlement_code: 'studio', service_account_id: account.id },
      },
    },
  });
  expect(status).toBe('ignored');
  const harmless = `evt_invoice_${Date.now()}`;
  await sendEvent(service, { id: harmless, type: 'invoice.paid', livemode: false });

  const page = await openAs(operatorOf(service));
  await page.goto('/desk/payments');
  const event = page.getByRole('listitem').filter({ hasText: id });
  await expect(event).toContainText('The customer of the provider is bound to no account.');
  await expect(event).toContainText('A checkout of the account binds its customer');
  await expect(event.getByRole('link', { name: 'the account it names (unverified)' })).toHaveAttribute(
    'href',
    `/desk/accounts/${account.id}`,
  );
  await expect(page.getByText(harmless)).toHaveCount(0);
  await event.getByText('Payload').click();
  await expect(event).toContainText('"service_entitlement_code": "studio"');
  await event.getByRole('button', { name: 'Re-evaluate' }).click();
  await expect(
    page.getByText('Still ignored. The customer of the provider is bound to no account.', { exact: true }),
  ).toBeVisible();
  await expect(event).toContainText('Re-evaluated');

  await call('POST', '/api/checkout/tier', person.token, { plan_code: 'solo' });
  await event.getByRole('button', { name: 'Re-evaluate' }).click();
  await expect(page.getByText('Processed now.')).toBeVisible();
  await expect(event).toHaveCount(0);
  const { entitlements } = await call('GET', '/api/v1/entitlements', person.token);
  expect(entitlements).toMatchObject([{ plan_code: 'studio', status: 'active' }]);

  await page.goto('/desk/payments?outcome=ignored');
  const other = page.getByRole('listitem').filter({ hasText: harmless });
  await expect(other).toContainText('Nothing is to be done.');
  await expect(other.getByRole('button', { name: 'Re-evaluate' })).toHaveCount(0);

  await page.goto(`/desk/accounts/${account.id}`);
  await expect(page.getByText('0 of 500 jobs')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: id })).toContainText('Processed');
  await page.goto(`/desk/audit?subject=${id}`);
  await expect(page.getByRole('row', { name: /Had a payment event re-evaluated/ })).toHaveCount(2);
});

test('prices are verified against the provider', async ({ service, openAs }) => {
  const page = await openAs(operatorOf(service));
  await page.goto('/desk/payments');
  await page.getByRole('button', { name: 'Verify the prices' }).click();
  await expect(page.getByText('Checkout is open, test mode')).toBeVisible();
});
