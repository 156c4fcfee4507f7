import { expectAccessible, expectNoFinding } from '../accessible.ts';
import { newOperator } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { handOver, move, newJob } from '../studio.ts';

test('a lead sees the pages of a customer under a banner, changes nothing there, and stops', async ({
  customer,
  openAs,
  service,
}) => {
  test.slow();
  const title = `Seen by both ${Date.now()}`;
  const delivered = await newJob(service, customer, { customer_title: title });
  await move(service, delivered, 'accept', 'start');
  await handOver(service, delivered, []);
  const lead = await newOperator(service, 'Lena Lead', 'lead');
  const page = await openAs(lead);
  await page.goto(`/desk/accounts?q=${encodeURIComponent(customer.email)}`);
  await page.getByRole('link', { name: customer.name }).first().click();
  const button = page.getByRole('button', { name: 'View as this customer' });
  await expect(button).toBeVisible();
  const account = page.url();
  await button.focus();
  await page.keyboard.press('Enter');

  const banner = page.getByText('as its owner would see it. Read only. Ends');
  await expect(banner).toBeVisible();
  await expect(page).toHaveURL(/\/jobs$/);
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  for (const name of ['Approve', 'Ask for changes', 'Order again', 'Send', 'Make a link for somebody'])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Order again' })).toHaveCount(0);
  await expectNoFinding(page, 'a job in a view');

  for (const [path, primary] of [
    ['/', 'Talk it through'],
    ['/jobs', 'New job'],
    ['/usage', 'New job'],
    ['/plans', 'Invoices'],
    ['/members', 'Invite'],
  ] as const) {
    await expectAccessible(page, path);
    await expect(banner).toBeVisible();
    await expect(page.getByRole('button', { name: primary })).toHaveCount(0);
  }
  for (const path of ['/keys', '/webhooks', '/brand', '/settings', '/concierge', '/jobs/new', '/files']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Not shown in a view' })).toBeVisible();
    await expect(banner).toBeVisible();
  }

  const desk = await page.context().newPage();
  await desk.goto('/desk');
  await expect(desk.getByRole('heading', { level: 1 }), 'the desk goes on').toBeVisible();
  await expect(desk.getByText('as its owner would see it')).toHaveCount(0);

  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page).toHaveURL(account);
  await expect(button).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'What do you need?' })).toBeVisible();
});

test('a page of a view that ended elsewhere says so, and leads back to the desk', async ({
  customer,
  openAs,
  service,
}) => {
  const lead = await newOperator(service, 'Lena Lead', 'lead');
  const page = await openAs(lead);
  await page.goto(`/desk/accounts?q=${encodeURIComponent(customer.email)}`);
  await page.getByRole('link', { name: customer.name }).first().click();
  await page.getByRole('button', { name: 'View as this customer' }).click();
  await expect(page.getByText('as its owner would see it')).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/jobs');
  await other.getByRole('button', { name: 'Stop' }).click();
  await expect(other.getByRole('button', { name: 'View as this customer' })).toBeVisible();
  await page.bringToFront();
  await expect(page.getByRole('heading', { name: /The view of .* has ended/ })).toBeVisible({ timeout: 40_000 });
  await page.getByRole('link', { name: 'Back to the desk' }).click();
  await expect(page.getByRole('button', { name: 'View as this customer' })).toBeVisible();
});

test('a maker has no such button', async ({ customer, openAs, service }) => {
  const page = await openAs(await newOperator(service, 'Mo Maker', 'maker'));
  await page.goto(`/desk/accounts?q=${encodeURIComponent(customer.email)}`);
  await page.getByRole('link', { name: customer.name }).first().click();
  await expect(page.getByRole('heading', { name: customer.name })).toBeVisible();
  await expect(page.getByRole('button', { name: 'View as this customer' })).toHaveCount(0);
});
