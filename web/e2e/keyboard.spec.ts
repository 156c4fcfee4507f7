import type { Locator, Page } from '@playwright/test';
import { expect, test } from './stage.ts';
import { handOver, move, newJob } from './studio.ts';

/** As who has no mouse gets there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not lead there.');
}

test('from signing in over the order to the approval without a mouse @change', async ({
  service,
  customer,
  openAs,
}) => {
  test.slow();
  const page = await openAs(null);
  const { keyboard } = page;
  await page.goto('/sign-in?next=/jobs');
  await tabTo(page, page.getByLabel('E-mail'));
  await keyboard.type(customer.email);
  await keyboard.press('Tab');
  await keyboard.type(customer.password);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeFocused();

  await keyboard.press('c');
  const logo = page.getByRole('link', { name: /^Logo\b/ });
  await expect(logo).toBeVisible();
  await tabTo(page, logo);
  await keyboard.press('Enter');
  const title = page.getByLabel('Title');
  await expect(title).toBeVisible();
  await tabTo(page, title);
  await keyboard.type('By keys alone');
  await keyboard.press('Tab');
  await keyboard.type('Rise Bakery');
  await expect(page.getByRole('button', { name: 'Order with 3 open' })).toBeEnabled();
  await keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'By keys alone' })).toBeFocused();

  const job = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await move(service, job, 'accept', 'start');
  await handOver(service, job, [new URL('fixtures/rise-colour.png', import.meta.url)]);
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
  await keyboard.press('a');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Back' })).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(page.getByText('You approved the work')).toBeVisible();
});

test('a row of the list is reached by j and opened by Enter', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  const page = await openAs(customer);
  await page.goto('/jobs');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/jobs/${job}$`));
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
  await expect(page.getByRole('textbox', { name: 'Find' })).toBeFocused();
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
