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
