import { expect, test } from './stage.ts';
import { handOver, move, newJob } from './studio.ts';

test('from signing in to the approval without a mouse', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await handOver(service, job, [new URL('fixtures/rise-colour.png', import.meta.url)]);
  const page = await openAs(null);
  const { keyboard } = page;
  await page.goto('/sign-in?next=/jobs');
  await page.getByLabel('E-mail').focus();
  await keyboard.type(customer.email);
  await keyboard.press('Tab');
  await keyboard.type(customer.password);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeFocused();
  await expect(page.getByRole('row')).toHaveCount(2);

  await keyboard.press('j');
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
  await keyboard.press('a');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Approve' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByText('You approved the work')).toBeVisible();
});

test('the palette finds pages, `?` tells the keys, and c begins an order', async ({ page }) => {
  const { keyboard } = page;
  await page.goto('/jobs');
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  await keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('New job');
  await keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await keyboard.press('Control+k');
  await keyboard.type('usage');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Usage' })).toBeVisible();
  await keyboard.press('c');
  await expect(page.getByRole('heading', { name: 'New job' })).toBeVisible();
});

test('single keys can be turned off', async ({ page }) => {
  await page.goto('/jobs');
  await page.evaluate(() => localStorage.setItem('atelier-single-keys', 'off'));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  await page.keyboard.press('c');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
});
