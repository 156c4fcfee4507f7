import { expect, test } from '../stage.ts';

test('a visitor finds a service by a word, and a customer orders one by its name', async ({
  browser,
  service,
  page,
}) => {
  const context = await browser.newContext({ baseURL: service.url });
  const visitor = await context.newPage();
  await visitor.goto('/catalog');
  await expect(visitor.getByRole('link', { name: 'Sign in' })).toBeVisible();
  const pictures = visitor.locator('.service-picture img');
  await expect(pictures).toHaveCount(20);
  await expect
    .poll(() => pictures.first().evaluate((picture: HTMLImageElement) => picture.naturalWidth))
    .toBeGreaterThan(0);
  await visitor.keyboard.press('/');
  await visitor.keyboard.type('photos');
  await expect(visitor.getByRole('heading', { level: 3 })).toHaveText(['Image cut-outs']);
  await visitor.getByRole('searchbox').fill('a ship');
  await expect(visitor.getByText('Nothing by that name. Say what you need')).toBeVisible();
  await context.close();

  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Pages, actions, jobs').fill('proofr');
  await page.getByRole('button', { name: 'Order Proofreading' }).click();
  await expect(page.getByLabel(/^Tone of voice/)).toBeVisible();
  await expect(page.getByLabel(/^Key points/)).toHaveCount(0);
  await page.goto('/catalog');
  await expect(page.getByText('jobs left until')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Your jobs' })).toHaveAttribute('href', '/');
});
