import { expectNoFinding } from '../accessible.ts';
import { expect, test } from '../stage.ts';
import { buy, newCustomer, newJob } from '../studio.ts';

test('over quota the order says so, stays disabled and leads to the plans', async ({ service, openAs }) => {
  const person = await newCustomer(service);
  await buy(service, person, 'solo');
  for (let n = 0; n < 2; n++) await newJob(service, person);
  const page = await openAs(person);
  await page.goto('/jobs/new?family=design&type=logo');
  await expect(page.getByText('Cannot be ordered now')).toBeVisible();
  await page.getByLabel('Title').fill('A third one');
  await page.getByLabel(/^Brand name/).fill('Rise Bakery');
  await expect(page.getByRole('button', { name: 'Order with 3 open' })).toBeDisabled();
  await page.getByRole('link', { name: 'See plans' }).click();
  await expect(page.getByRole('heading', { name: 'Plans' })).toBeVisible();
  const note = page.getByRole('note');
  await expect(note).toContainText(/Solo has \d+ jobs left to order Design · Logo, 2 at the same time\./);
  await note.getByRole('link', { name: 'Back to the order' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('A third one');
});

test('an agent leads to the plans: the page says what for, warns in another account, and remembers it at the provider', async ({
  service,
  openAs,
}) => {
  const person = await newCustomer(service);
  const page = await openAs(person);
  await page.goto('/plans');
  const { account } = await service.call('GET', '/api/v1/me', person.token);
  await page.goto(`/plans?for=design.logo&by=agent&account=${account.id}`);
  const note = page.getByRole('note');
  await expect(note).toContainText('To order Design · Logo by an agent, the account needs a plan');
  await expect(note).toContainText('Agent or Studio serves it.');
  await expectNoFinding(page, 'the plans that an agent asked for');
  await page.getByRole('button', { name: 'Choose Agent' }).click();
  await page.getByRole('button', { name: /Pay/ }).click();
  await page.getByRole('link', { name: 'Back to Atelier' }).click();
  await expect(page.getByText('Agent is active.')).toBeVisible();
  await expect(note).toContainText(
    /Agent has \d+ jobs left to order Design · Logo by an agent, \d+ at the same time\. Now go back to your/,
  );
  await expect(page.getByText('needs a plan')).toHaveCount(0);

  await page.locator('.nav-select').click();
  await page.getByRole('menuitem', { name: 'Open another account' }).click();
  await page.getByLabel('Name of the account').fill('Second House');
  await page.getByRole('button', { name: 'Open the account' }).click();
  await expect(page.locator('.nav-select')).toContainText('Second House');
  await page.goto(`/plans?for=design.logo&by=agent&account=${account.id}`);
  await expect(note).toContainText('You have Second House open. Switch before you choose a plan.');
  await note.getByRole('button', { name: /^Switch to/ }).click();
  await expect(note).toContainText('go back to your assistant');
});

test('plans for something that the catalog does not have: no word of the address is on the page', async ({
  service,
  openAs,
}) => {
  const page = await openAs(await newCustomer(service));
  await page.goto('/plans?for=your card.was declined&by=human');
  const note = page.getByRole('note');
  await expect(note).toContainText('An order needs a plan with jobs left.');
  await expect(note).not.toContainText('declined');
  await expect(note.getByRole('link', { name: 'Back to the order' })).toHaveAttribute('href', '/jobs/new');
});

test('404: another account’s job looks like none, with a request id and a way on', async ({
  service,
  openAs,
  customer,
}) => {
  const job = await newJob(service, customer);
  const page = await openAs(await newCustomer(service, 'Somebody Else'));
  await page.goto(`/jobs/${job}`);
  await expect(page.getByRole('alert')).toContainText('There is no such job');
  await expect(page.getByRole('alert')).toContainText(/req_/);
});

test('404: an address without a page is an answer of the service, not a page', async ({ service }) => {
  const answer = await fetch(`${service.url}/no-such-page`);
  expect(answer.status).toBe(404);
});

test('503: a page says that the service is busy, and reads again when asked', async ({ page, context }) => {
  await page.goto('/jobs');
  await expect(page.getByText('Nothing is ordered yet.', { exact: false })).toBeVisible();
  void context;
  let down = true;
  await page.route('**/api/v1/usage*', (route) =>
    down
      ? route.fulfill({
          status: 503,
          headers: { 'retry-after': '60' },
          contentType: 'application/json',
          body: JSON.stringify({
            error: { code: 'service_unavailable', message: 'x', action: 'x', request_id: 'req_seen_by_the_test' },
          }),
        })
      : route.continue(),
  );
  await page.goto('/usage');
  await expect(page.getByRole('alert')).toContainText('The service is busy or restarting');
  await expect(page.getByRole('alert')).toContainText('req_seen_by_the_test');
  down = false;
  await expect(page.getByRole('button', { name: /Try again/ })).toBeVisible();
});

test('a session that ends while a form is open is taken up in a dialog, and nothing typed is lost', async ({
  service,
  customer,
  page,
}) => {
  await page.goto('/jobs/new?family=design&type=logo');
  await page.getByLabel('Title').fill('A logo, nearly ordered');
  await page.getByLabel(/^Brand name/).fill('Rise Bakery');
  // Signed out everywhere else: the cookie is worth nothing any more.
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Order with 3 open' }).click();
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
  await dialog.getByLabel('Password', { exact: true }).fill(customer.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Title')).toHaveValue('A logo, nearly ordered');
  await page.getByRole('button', { name: 'Order with 3 open' }).click();
  await expect(page.getByRole('heading', { name: 'A logo, nearly ordered' })).toBeVisible();
  const { jobs } = await service.call('GET', '/api/v1/jobs', customer.token);
  expect(jobs).toHaveLength(1);
});

test('who is not signed in is led to sign in, and back to where they wanted to go', async ({ customer, openAs }) => {
  const page = await openAs(null);
  await page.goto('/usage?from=2026-11-01');
  await page.getByLabel('E-mail').fill(customer.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong, to begin with');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('The e-mail address or the password is wrong.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(customer.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Usage' })).toBeVisible();
  expect(page.url()).toContain('from=2026-11-01');
});
