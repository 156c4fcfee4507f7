import { deployAnother } from '../new-build.ts';
import { expect, test } from '../stage.ts';
import { newCustomer, newJob } from '../studio.ts';

test('another account is opened and switched to; a window of the first one notices, keeps what was typed and switches back', async ({
  customer,
  page,
  service,
}) => {
  await newJob(service, customer, { customer_title: 'A job of the first account' });
  await page.goto('/jobs/new?family=design&type=logo');
  await page.getByLabel('Title').fill('Typed before the switch');
  const other = await page.context().newPage();
  await other.goto('/');
  await other.locator('.nav-select').click();
  await other.getByRole('menuitem', { name: 'Open another account' }).click();
  await other.getByLabel('Name of the account').fill('Second House');
  await other.getByRole('button', { name: 'Open the account' }).click();
  await expect(other.locator('.nav-select')).toContainText('Second House');

  const dialog = page.getByRole('dialog', { name: 'You switched to Second House' });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: /^Switch back/ }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Title')).toHaveValue('Typed before the switch');
  await page.goto('/jobs');
  await expect(page.getByRole('row', { name: /A job of the first account/ })).toBeVisible();
  await expect(other.getByRole('dialog', { name: /^You switched to/ })).toBeVisible();
});

test('an invitation waits in the menu of accounts', async ({ customer, openAs, service }) => {
  const invited = await newCustomer(service, 'Jonas Weber');
  await service.call('POST', '/api/auth/invitations', customer.token, { email: invited.email, role: 'member' });
  const page = await openAs(invited);
  await page.goto('/');
  await page.locator('.nav-select').click();
  await page.getByRole('menuitem', { name: 'Ada Lovelace' }).click();
  await page.getByRole('button', { name: 'Join the account' }).click();
  await expect(page.locator('.nav-select')).toContainText('Ada Lovelace');
});

test('whoever joins an account gets there, although they open another page meanwhile', async ({
  customer,
  openAs,
  service,
}) => {
  const invited = await newCustomer(service, 'Jonas Weber');
  await service.call('POST', '/api/auth/invitations', customer.token, { email: invited.email, role: 'member' });
  const page = await openAs(invited);
  const moved = Promise.withResolvers<void>();
  await page.route('**/accept', async (route) => {
    await moved.promise;
    await route.continue();
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'Join the account' }).click();
  await page.getByRole('link', { name: 'Library' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Library');
  moved.resolve();
  await expect(page.locator('.nav-select')).toContainText('Ada Lovelace');
});

test('404: an invitation that there is not says so, and leads home', async ({ page }) => {
  await page.goto('/invitations/inv_01m81a8q40e0096ncn81z7fbzs');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This invitation is not open');
  await page.getByRole('link', { name: 'Go to your jobs' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('a page that is older than the service says so', async ({ page }) => {
  await page.clock.install();
  await page.goto('/library');
  await expect(page.getByText('Test mode: plans cost nothing')).toBeVisible();
  await deployAnother(page);
  await expect(page.getByText('There is a newer version of this page.')).toBeVisible();
});
