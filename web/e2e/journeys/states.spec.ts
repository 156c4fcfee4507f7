import type { Page } from '@playwright/test';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { buy, handOver, move, newConversation, newCustomer, newJob } from '../studio.ts';

/** What the frame of the pages reads by itself. */
const ofFrame =
  /\/api\/(auth\/(session|me|accounts|my-invitations)$|v1\/(me|installation|jobs\/counts)|v1\/events\/stream|operator\/v1\/(jobs\/counts|queue\/stream))/;

/** Everything but the frame fails until the answer is called. */
async function breakDown(page: Page): Promise<() => void> {
  let down = true;
  await page.route(/\/api\//, (route) =>
    down && !ofFrame.test(new URL(route.request().url()).pathname)
      ? route.fulfill({
          status: 503,
          contentType: 'application/json',
          body: JSON.stringify({
            error: { code: 'service_unavailable', message: 'x', action: 'x', request_id: 'req_of_the_test' },
          }),
        })
      : route.continue(),
  );
  return () => {
    down = false;
  };
}

async function expectFailureAndRetry(page: Page, path: string): Promise<void> {
  const mend = await breakDown(page);
  await page.goto(path);
  await expect(page.getByRole('alert').first(), path).toContainText('The service is busy or restarting');
  await expect(page.getByRole('alert').first()).toContainText('req_of_the_test');
  await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  mend();
  // Each part of a page that failed is read again by its own button, and one may fail late.
  await expect(async () => {
    const again = page.getByRole('button', { name: 'Try again' });
    if ((await again.count()) > 0) await again.first().click({ timeout: 500 });
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0, { timeout: 1_000 });
    await expect(page.getByRole('alert')).toHaveCount(0, { timeout: 1_000 });
  }, path).toPass();
  await page.unroute(/\/api\//);
}

test('503: every page of a customer says so below its heading, and reads again when asked', async ({
  service,
  customer,
  page,
}) => {
  test.slow();
  const job = await newJob(service, customer);
  const conversation = await newConversation(service, customer);
  const { webhook_endpoint: endpoint } = await service.call('POST', '/api/v1/webhook-endpoints', customer.token, {
    url: 'https://hooks.example.com/atelier',
  });
  const ofTheirs = [`/jobs/${job}`, `/concierge/${conversation}`, `/webhooks/${endpoint.id}`];
  const others = ['/jobs', '/jobs/new', '/concierge', '/files', '/usage', '/plans', '/keys', '/webhooks', '/members'];
  for (const path of ['/', ...others, '/settings', ...ofTheirs]) await expectFailureAndRetry(page, path);
});

test('503: every page of the desk says so below its heading, and reads again when asked', async ({
  service,
  customer,
  openAs,
}) => {
  test.slow();
  const job = await newJob(service, customer);
  const { accounts } = await service.call(
    'GET',
    `/api/operator/v1/accounts?q=${encodeURIComponent(customer.email)}`,
    service.operatorToken,
  );
  const page = await openAs(operatorOf(service));
  const others = [
    '/desk/accounts',
    '/desk/workers',
    '/desk/money',
    '/desk/payments',
    '/desk/figures',
    '/desk/reports',
    '/desk/audit',
    '/desk/operators',
    '/desk/apps',
    '/desk/studio',
    '/desk/health',
  ];
  for (const path of ['/desk', ...others, `/desk/jobs/${job}`, `/desk/accounts/${accounts[0].id}`])
    await expectFailureAndRetry(page, path);
});

test('403: a member reads who the owners are, on the page and at each button', async ({
  service,
  customer,
  openAs,
}) => {
  const member = await newCustomer(service, 'Jonas Weber');
  const { invitation } = await service.call('POST', '/api/auth/invitations', customer.token, {
    email: member.email,
    role: 'member',
  });
  const page = await openAs(member);
  await page.goto(`/invitations/${invitation.id}`);
  await page.getByRole('button', { name: 'Join the account' }).click();
  await expect(page.getByRole('button', { name: /studio plan/i })).toBeVisible();
  await page.goto('/keys');
  await expect(page.getByRole('note')).toContainText(`Ask an owner: ${customer.name}.`);
  for (const [path, name] of [
    ['/plans', 'Change to Solo'],
    ['/webhooks', 'New endpoint'],
    ['/members', 'Invite'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('button', { name })).toHaveAccessibleDescription(
      `Only owners and admins of the account can do this. Ask an owner: ${customer.name}.`,
    );
  }
});

test('a member reads the name of the account, and can leave and have their data', async ({
  service,
  customer,
  openAs,
}) => {
  const member = await newCustomer(service, 'Jonas Weber');
  const { invitation } = await service.call('POST', '/api/auth/invitations', customer.token, {
    email: member.email,
    role: 'member',
  });
  const page = await openAs(member);
  await page.goto(`/invitations/${invitation.id}`);
  await page.getByRole('button', { name: 'Join the account' }).click();
  await expect(page.getByRole('button', { name: /studio plan/i })).toBeVisible();
  await page.goto('/settings#account');
  const section = page.getByRole('region', { name: 'Account' });
  await expect(section.getByRole('group', { name: 'Name' })).toBeVisible();
  await expect(section.getByRole('button')).toHaveText(['Download my data', 'Choose']);
  await section.getByRole('button', { name: 'Choose: Leaving' }).click();
  await expect(section.getByRole('button', { name: 'Leave the account' })).toBeVisible();
  await expect(section.getByRole('button', { name: 'Close', exact: true })).toBeFocused();
  await expect(section.getByRole('button', { name: 'Close the account' })).toHaveCount(0);
});

test('403: whose role changes under an open page reads who the owners are, once they press', async ({
  service,
  customer,
  openAs,
}) => {
  const admin = await newCustomer(service, 'Jonas Weber');
  const { invitation } = await service.call('POST', '/api/auth/invitations', customer.token, {
    email: admin.email,
    role: 'admin',
  });
  const page = await openAs(admin);
  await page.goto(`/invitations/${invitation.id}`);
  await page.getByRole('button', { name: 'Join the account' }).click();
  await expect(page.getByRole('button', { name: /studio plan/i })).toBeVisible();
  await page.goto('/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Too late');
  const { members } = await service.call('GET', '/api/auth/members', customer.token);
  const { id: member } = members.find((one: { user: { email: string } }) => one.user.email === admin.email);
  await service.call('PATCH', `/api/auth/members/${member}`, customer.token, { role: 'member' });
  await page.getByRole('button', { name: 'Make the key' }).click();
  await expect(page.getByRole('note')).toContainText(`Ask an owner: ${customer.name}.`);
});

test('the last owner cannot leave, and reads why', async ({ page }) => {
  await page.goto('/settings#account');
  await page.getByRole('button', { name: 'Choose: Leaving' }).click();
  await expect(page.getByRole('button', { name: 'Leave the account' })).toHaveAccessibleDescription(
    'The account needs an owner: make somebody else an owner first.',
  );
});

test('over quota home, usage, the order and the concierge say so, with the next period and the plans', async ({
  service,
  openAs,
}) => {
  const person = await newCustomer(service);
  await buy(service, person, 'solo');
  for (let n = 0; n < 5; n++) {
    const id = await newJob(service, person);
    await move(service, id, 'accept', 'start');
    await handOver(service, id, []);
    await service.call('POST', `/api/v1/jobs/${id}/approve`, person.token);
  }
  const page = await openAs(person);
  for (const path of ['/', '/usage']) {
    await page.goto(path);
    const used = page.getByText('The jobs of this period are used up.').locator('..');
    await expect(used).toContainText(/The next one begins on \d+ \w+\. See plans/);
  }
  await page.goto('/jobs/new?family=design&type=logo');
  const order = page.getByText('The jobs of this period are used up.').locator('..');
  await expect(order).toContainText(/The next one begins on \d+ \w+\. See plans/);
  await page.getByLabel('Title').fill('One too many');
  await page.getByLabel(/^Brand name/).fill('Rise Bakery');
  await expect(page.getByRole('button', { name: 'Order with 3 open' })).toBeDisabled();

  const { intake_session: session } = await service.call('POST', '/api/v1/intake/sessions', person.token, {
    service_family: 'writing',
    service_type: 'proofreading',
    message: 'Please proofread our winter menu.',
  });
  let status = session.status;
  for (let n = 0; status !== 'brief_ready' && n < 8; n++)
    status = (
      await service.call('POST', `/api/v1/intake/sessions/${session.id}/messages`, person.token, {
        content: 'It is about our winter menu, for our guests, in a calm tone.',
      })
    ).intake_session.status;
  await page.goto(`/concierge/${session.id}`);
  await expect(page.getByText('The jobs of this period are used up.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See plans' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Order/ })).toBeDisabled();
});

test('503: where not even the session can be read, the page says so and opens when asked again', async ({ page }) => {
  let down = true;
  await page.route(/\/api\//, (route) =>
    down ? route.fulfill({ status: 503, contentType: 'application/json', body: '{}' }) : route.continue(),
  );
  await page.goto('/usage');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page cannot be opened now');
  await expect(page.getByRole('alert')).toBeVisible();
  down = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
});

test('days of the address that are none are left out, others bound the list in the reader’s zone', async ({
  service,
  customer,
  openAs,
}) => {
  await newJob(service, customer);
  const page = await openAs(customer);
  const jobs = page.getByRole('table', { name: 'Jobs' }).locator('tbody tr');
  await page.goto('/jobs?from=notaday&to=2026-02-99');
  await expect(jobs).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Any time' })).toBeVisible();
  const today = await page.evaluate(() => new Date().toLocaleDateString('sv'));
  await page.goto(`/jobs?from=${today}&to=${today}`);
  await expect(jobs).toHaveCount(1);
  await page.goto('/jobs?to=2020-01-01');
  await expect(page.getByText('until 1 Jan 2020')).toBeVisible();
  await expect(jobs).toHaveCount(0);

  await page.goto('/usage?from=x');
  await expect(page.getByRole('radio', { name: 'This period' })).toBeChecked();
  await page.goto('/usage?from=2026-01-10&to=2026-01-12');
  await expect(page.getByText('0 in the shown days')).toBeVisible();
  await expect(page.getByText('No job was ordered in these days.')).toBeVisible();

  const desk = await openAs(operatorOf(service));
  await desk.goto('/desk/audit?from=x&to=y');
  await expect(desk.getByRole('table', { name: 'Changes' })).toBeVisible();
});
