import { readId } from '../../../server/lib/id.ts';
import { operatorOf } from '../desk.ts';
import { saveAsCsv } from '../csv.ts';
import { changeSubscription, sendEvent } from '../provider-event.ts';
import { expect, test } from '../stage.ts';
import { buy, newCustomer, newJob } from '../studio.ts';

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
  const harmless = `evt_created_${Date.now()}`;
  await sendEvent(service, { id: harmless, type: 'customer.created', livemode: false });

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

  await page.goto('/desk/payments?outcome=all&month=2020-01');
  await expect(page.getByText('No event arrived in this month.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all events' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: harmless })).toBeVisible();

  await page.goto(`/desk/accounts/${account.id}`);
  await expect(page.getByText('0 of 500 jobs')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: id })).toContainText('Processed');
  await page.goto(`/desk/audit?subject=${id}`);
  await expect(page.getByRole('row', { name: /Had a payment event re-evaluated/ })).toHaveCount(2);
});

test('the money page says what was paid, who does not pay and what needs a look @change', async ({
  service,
  openAs,
}) => {
  const person = await newCustomer(service, 'Solberg Cycles');
  await buy(service, person, 'studio');
  await newJob(service, person);
  await changeSubscription(service, person, 'updated', 'past_due');
  const { account } = await service.call('GET', '/api/v1/me', person.token);
  // Its invoice is paid after the checkout, by an event of its own.
  const payers = async (): Promise<(string | undefined)[]> => {
    const { payments } = await service.call('GET', '/api/operator/v1/payments', service.operatorToken);
    return payments.map((payment: { account: { id: string } | null }) => payment.account?.id);
  };
  await expect.poll(payers).toContain(account.id);
  const { money } = await service.call('GET', '/api/operator/v1/money', service.operatorToken);
  const page = await openAs(operatorOf(service));
  await page.goto('/desk/money');
  await expect(page.getByText('Test mode')).toBeVisible();
  const paid = (money.currencies[0].paid / 100).toLocaleString('en');
  await expect(page.getByRole('definition').filter({ hasText: paid })).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: account.name });
  await expect(row).toContainText('Payment overdue since');
  await expect(row).toContainText('1 open job');
  const waiting = money.counts.events + money.counts.accounts;
  await expect(page.getByRole('link', { name: 'Money' })).toContainText(String(waiting));
  const rows = await saveAsCsv(page);
  expect(rows.find((saved) => saved['Account id'] === account.id)).toMatchObject({
    Kind: 'invoice',
    Plan: 'studio',
    'Amount in the smallest unit': '49900',
    Currency: 'usd',
  });
  await page.getByRole('button', { name: 'Verify again' }).click();
  await expect(page.getByText(/^Checkout is open: 3 prices verified/)).toBeVisible();
  await page.getByRole('link', { name: new RegExp(`^All ${money.events.toLocaleString('en')} of`) }).click();
  await expect(page.getByRole('heading', { name: 'Events of the payment provider' })).toBeVisible();
});
