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
  await expect(page.getByText(/^Studio has been paused since .*: nothing can be ordered with it/)).toBeVisible();
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps.getByRole('listitem').filter({ hasText: 'Choose a plan' }).getByLabel('Done')).toBeVisible();

  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk/accounts?q=${encodeURIComponent(customer.email)}`);
  await expect(desk.getByRole('cell', { name: 'studio (paused)' })).toBeVisible();

  await page.goto('/jobs/new?family=design&type=logo');
  await expect(page.getByText('Studio is paused. An owner or admin of the account resumes it.')).toBeVisible();
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
  await expect(page.getByText('been paused')).toHaveCount(0);
});

test('an overdue payment says so with the day until which it serves, and is paid at the provider', async ({
  customer,
  page,
  service,
}) => {
  await changeSubscription(service, customer, 'updated', 'past_due');
  await page.goto('/');
  await expect(page.getByRole('button', { name: /Payment overdue/ })).toBeVisible();
  await expect(page.getByText(/^The payment for Studio is overdue; you can order with it until /)).toBeVisible();
  await expect(page.getByText(/Studio: 0 of \d+ jobs used until/), 'it serves still').toBeVisible();
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
  await expect(theirs.getByRole('heading', { name: 'Hello, Jonas' })).toBeVisible();
  await changeSubscription(service, customer, 'paused', 'paused');
  await theirs.goto('/jobs');
  await expect(theirs.getByText(/^Studio has been paused since/)).toBeVisible();
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
