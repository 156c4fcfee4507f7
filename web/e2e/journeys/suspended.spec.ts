import { expectAccessible, expectNoFinding } from '../accessible.ts';
import { newOperator } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { handOver, move, newJob } from '../studio.ts';

test('a suspended account says so on every open page, approves what is delivered, and is reopened at the desk', async ({
  customer,
  openAs,
  page,
  service,
}) => {
  const delivered = await newJob(service, customer, { customer_title: 'Delivered before' });
  await move(service, delivered, 'accept', 'start');
  await handOver(service, delivered, []);
  const stream = page.waitForResponse((response) => response.url().includes('/events/stream'));
  await page.goto('/files');
  await stream;
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  const desk = await openAs(await newOperator(service));
  await desk.goto(`/desk/accounts?q=${encodeURIComponent(customer.email)}`);
  await desk.getByRole('link', { name: customer.name }).first().click();
  await desk.getByRole('button', { name: 'Suspend' }).click();
  await desk.getByLabel('Reason').fill('The card was charged back.');
  await desk.getByRole('button', { name: 'Suspend the account' }).click();
  await expect(desk.getByText('The card was charged back.')).toBeVisible();
  await expectNoFinding(desk, 'the suspended account');

  const banner = page.getByText(
    'The studio has suspended this account. You can read, export and approve; work in progress',
  );
  await expect(banner, 'the open page hears of it').toBeVisible();
  await expect(page.getByText('The card was charged back.')).toHaveCount(0);
  await page.goto('/jobs/new?family=design&type=logo');
  await expect(banner).toBeVisible();
  await expectAccessible(page, '/members');
  await expect(page.getByRole('button', { name: /Invite/ }).first()).toHaveAccessibleDescription(
    'The studio has suspended this account.',
  );
  await page.goto(`/jobs/${delivered}`);
  await expect(page.getByRole('button', { name: 'Ask for changes' }).first()).toHaveAccessibleDescription(
    'The studio has suspended this account.',
  );
  await page.getByRole('button', { name: 'Approve' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Completed').first()).toBeVisible();

  await desk.getByRole('button', { name: 'Reopen' }).click();
  await expect(desk.getByRole('button', { name: 'Suspend' })).toBeVisible();
  await expect(banner).toHaveCount(0);
});
