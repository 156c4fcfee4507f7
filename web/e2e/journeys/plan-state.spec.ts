import { expectAccessible } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import { changeSubscription } from '../provider-event.ts';
import { expect, test } from '../stage.ts';
import { buy, mailedLink, newCustomer } from '../studio.ts';

test('a paused plan says so on every page, closes buying, and is resumed at the provider @change', async ({
  customer,
  openAs,
  page,
  service,
}) => {
  const stream = page.waitForResponse((response) => response.url().includes('/events/stream'));
  await page.goto('/');
  await expect(page.getByRole('button', { name: /Studio plan/ })).toBeVisible();
  await stream;
  await changeSubscription(service, customer, 'paused', 'paused');
  await expect(page.getByRole('button', { name: /Plan paused/ }), 'the open page hears of it').toBeVisible();
  await expect(
    page.getByText(/^Studio is paused: nothing can be ordered with it until a way to pay is added/).first(),
  ).toBeVisible();
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps.getByText('First steps, 2 of 4. Next: order your first job')).toBeVisible();

  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk/accounts?q=${encodeURIComponent(customer.email)}`);
  await expect(desk.getByRole('row').filter({ hasText: 'Paused' })).toContainText('studio');

  await page.goto('/jobs/new?family=design&type=logo');
  await expect(page.getByText('Studio is paused. An owner or admin can resume it on the Plans page.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Order job' })).toHaveAccessibleDescription('Studio is paused');
  await page.goto('/usage');
  await expect(page.getByText('Studio is paused', { exact: false }).last()).toBeVisible();

  await expectAccessible(page, '/plans');
  await expect(page.getByRole('button', { name: /^Choose/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Change to Solo' })).toHaveAccessibleDescription(
    'Resume or end Studio first.',
  );
  await expect(page.getByRole('button', { name: 'Invoices' })).toBeEnabled();
  const column = page.getByRole('region', { name: 'Studio' });
  await expect(column).toContainText('Paused');
  await column.getByRole('button', { name: 'Resume Studio' }).click();
  await expect(page.getByRole('heading', { name: 'Your plans' })).toBeVisible();
  await page.getByRole('button', { name: 'Resume Studio' }).click();
  await page.getByRole('link', { name: 'Back to Atelier' }).click();
  await expect(column).toContainText('Your plan');
  await expect(page.getByRole('button', { name: /Studio plan/ })).toBeVisible();
  await expect(page.getByText('Studio is paused')).toHaveCount(0);
});

test('an overdue payment says so with the day until which it serves, and is paid at the provider', async ({
  customer,
  page,
  service,
}) => {
  await changeSubscription(service, customer, 'updated', 'past_due');
  await page.goto('/');
  await expect(page.getByRole('button', { name: /Payment overdue/ })).toBeVisible();
  await expect(
    page.getByText(/^The payment for Studio is overdue; you can order with it until /).first(),
  ).toBeVisible();
  await expect(page.getByText(/Studio plan: 0 of \d+ jobs used until/), 'it serves still').toBeVisible();
  await page.goto('/plans');
  await expect(page.getByRole('button', { name: /^Choose/ })).toHaveCount(0);
  await page.getByRole('region', { name: 'Studio' }).getByRole('button', { name: 'Pay Studio' }).click();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.getByRole('link', { name: 'Back to Atelier' }).click();
  await expect(page.getByRole('region', { name: 'Studio' })).toContainText('Your plan');
});

test('an ended plan says when it ended, keeps the invoices, and another one may be chosen', async ({
  customer,
  page,
  service,
}) => {
  await changeSubscription(service, customer, 'deleted', 'canceled');
  await page.goto('/plans');
  await expect(page.getByText(/^Studio ended on .* Ordering needs a plan\.$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose Studio' })).toBeEnabled();
  await page.getByRole('button', { name: 'Invoices' }).click();
  await expect(page.getByRole('heading', { name: 'Your plans' })).toBeVisible();
});

const day = 86_400;
const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * day;

test('a plan that ends says so everywhere, promises no new period, and is kept at the provider @change', async ({
  customer,
  page,
  service,
}) => {
  // As both kinds of subscriptions end: with a flag, and with a date alone.
  await changeSubscription(service, customer, 'updated', 'active', {
    cancel_at: inDays(20),
    cancel_at_period_end: false,
  });
  await page.goto('/');
  await expect(page.getByRole('button', { name: /Ends on / })).toBeVisible();
  await expect(page.getByText(/^Studio plan: 0 of \d+ jobs used · Ends on /)).toBeVisible();
  await expectAccessible(page, '/usage');
  await expect(page.getByText(/left · Studio: ends on /)).toBeVisible();
  await expect(page.getByText('new period')).toHaveCount(0);
  await expectAccessible(page, '/plans');
  await expect(page.getByText(/^Studio ends on .*; nothing is charged after it\.$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change to Solo' })).toHaveAccessibleDescription(
    /^Studio ends on .* Keep it to change it, or choose another plan after that\.$/,
  );
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Choose: Leaving' }).click();
  await expect(page.getByText(/^Studio ends on .*: the account can be closed after that\.$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close the account' })).toBeDisabled();
  await page.goto('/jobs/new?family=design&type=logo');
  await expect(page.getByText('of your Studio plan')).toBeVisible();

  await changeSubscription(service, customer, 'updated', 'active', { cancel_at: null });
  await page.goto('/plans');
  await expect(page.getByRole('region', { name: 'Studio' })).toContainText('Your plan');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByText('Your plan will not end')).toBeVisible();
  await expect(page.getByText('Your plan will end')).toBeVisible();
});

test('a stopped plan is paid at the provider, not bought a second time, and keeps its account open', async ({
  customer,
  page,
  service,
}) => {
  await changeSubscription(service, customer, 'updated', 'unpaid');
  await expectAccessible(page, '/plans');
  await expect(page.getByRole('button', { name: /Plan stopped/ })).toBeVisible();
  await expect(page.getByText(/^Studio has stopped, because it is not paid: nothing/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Choose/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Change to Solo' })).toHaveAccessibleDescription(
    'Pay or end Studio first.',
  );
  const column = page.getByRole('region', { name: 'Studio' });
  await expect(column).toContainText('Stopped');
  await expect(column.getByRole('button', { name: 'Pay Studio' })).toBeEnabled();
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Choose: Leaving' }).click();
  await expect(page.getByText(/but its subscription still exists at the payment provider\./)).toBeVisible();
  await page.goto('/jobs/new?family=design&type=logo');
  await expect(page.getByText('An owner or admin can pay it on the Plans page.')).toBeVisible();
});

test('a trial and a plan whose payment is paused are told apart from others', async ({ customer, page, service }) => {
  await changeSubscription(service, customer, 'updated', 'trialing');
  await page.goto('/plans');
  await expect(page.getByText(/^The trial of Studio lasts until /)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Studio' })).toContainText('Trial until');
  await changeSubscription(service, customer, 'updated', 'active', { pause_collection: { behavior: 'void' } });
  await page.goto('/plans');
  await expect(page.getByText(/^The payment for Studio is paused; you can order with it until /)).toBeVisible();
  await page.goto('/usage');
  await expect(page.getByText('Studio: payment is paused')).toBeVisible();
  await expect(page.getByText('new period')).toHaveCount(0);
});

test('a plan that runs is changed and ended from its column', async ({ page }) => {
  await page.goto('/plans');
  await page.getByRole('button', { name: 'Change to Solo' }).click();
  await page.getByRole('button', { name: /^Change to Solo/ }).click();
  await page.getByRole('link', { name: 'Back to Atelier' }).click();
  await expect(page.getByRole('button', { name: 'Change or end Solo' })).toBeEnabled();
  await expect(page.getByRole('button', { name: 'Choose Agent' }), 'serves other callers').toBeEnabled();
});

test('a plan for people says beside the keys that they cannot order', async ({ openAs, service }) => {
  const person = await newCustomer(service);
  await buy(service, person, 'solo');
  const page = await openAs(person);
  await expectAccessible(page, '/keys');
  await expect(page.getByText('a key can read, but not order.', { exact: false })).toBeVisible();
  await page.goto('/plans');
  await page.getByRole('button', { name: 'Choose Agent' }).click();
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.goto('/keys');
  await expect(page.getByText('A key lets a program order', { exact: false })).toBeVisible();
  await expect(page.getByText('a key can read, but not order.', { exact: false })).toHaveCount(0);
});

test('a member reads that the plan is paused and who can resume it; the desk reads it, too', async ({
  customer,
  openAs,
  service,
}) => {
  const colleague = await newCustomer(service, 'Jonas Weber');
  await service.call('POST', '/api/auth/invitations', customer.token, { email: colleague.email, role: 'member' });
  const theirs = await openAs(colleague);
  await theirs.goto(await mailedLink(service, colleague.email, '/invitations/'));
  await theirs.getByRole('button', { name: 'Join the account' }).click();
  await expect(theirs.getByRole('heading', { name: 'What do you need?' })).toBeVisible();
  await changeSubscription(service, customer, 'paused', 'paused');
  await theirs.goto('/jobs');
  await expect(theirs.getByText(/^Studio is paused: nothing can be ordered/).first()).toBeVisible();
  await expect(theirs.getByText('Ask an owner: Ada Lovelace.', { exact: false })).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Resume Studio' })).toHaveCount(0);
  await theirs.goto('/plans');
  await expect(theirs.getByRole('button', { name: 'Resume Studio' })).toBeDisabled();

  const { accounts } = await service.call(
    'GET',
    `/api/operator/v1/accounts?q=${encodeURIComponent(customer.email)}`,
    service.operatorToken,
  );
  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk/accounts/${accounts[0].id}`);
  await expect(desk.getByText('Paused', { exact: true })).toBeVisible();
});
