import type { Page } from '@playwright/test';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { newJob } from '../studio.ts';

const banner = 'No connection. This page may be out of date.';
const opensLater = 'This page opens when it is back.';

/** Everything that a page fetches by itself is there: nothing was fetched for two seconds. */
async function quiet(page: Page): Promise<void> {
  let last = Date.now();
  page.on('request', (request) => request.url().endsWith('.js') && (last = Date.now()));
  // The frame begins to fetch five seconds after it is shown, which on a busy machine is later than the load.
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await page.waitForTimeout(5_500);
  await expect.poll(() => Date.now() - last > 2_000, { timeout: 30_000 }).toBe(true);
}

for (const app of ['customer', 'desk'] as const) {
  const home = app === 'desk' ? '/desk' : '/';
  const [link, path] = app === 'desk' ? (['Figures', '/desk/figures'] as const) : (['Usage', '/usage'] as const);

  test(`${app}: a page that is not fetched yet keeps the frame, and opens when the connection is back`, async ({
    service,
    customer,
    openAs,
  }) => {
    const page = await openAs(app === 'desk' ? operatorOf(service) : customer);
    await page.goto(home);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.context().setOffline(true);
    await expect(page.getByText(banner)).toBeVisible();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click();
    await expect(page.getByText(opensLater)).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
    await page.context().setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: link })).toBeVisible();
    await expect(page.getByText(opensLater)).toHaveCount(0);
    await expect(page.getByText(banner)).toHaveCount(0);
    await expect(page.getByText('cannot be reached')).toHaveCount(0);
  });

  test(`${app}: a page that is fetched early opens offline, and reads what it lacks when the connection is back`, async ({
    service,
    customer,
    openAs,
  }) => {
    test.slow();
    const page = await openAs(app === 'desk' ? operatorOf(service) : customer);
    await page.goto(home);
    await quiet(page);
    await page.context().setOffline(true);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click();
    await expect(page.getByRole('heading', { level: 1, name: link })).toBeVisible();
    await expect(page.getByText('The service cannot be reached').first()).toBeVisible();
    await page.context().setOffline(false);
    await expect(page.getByText('The service cannot be reached')).toHaveCount(0);
    await expect(page.getByText(banner)).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toHaveCount(0);
  });
}

test('a dialog that was fetched early opens offline', async ({ service, customer, page }) => {
  test.slow();
  const job = await newJob(service, customer);
  await page.goto(`/jobs/${job}`);
  await quiet(page);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Cancel the job' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
});
