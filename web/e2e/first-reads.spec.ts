import { customerPages, deskPages } from '../../contract/pages.ts';
import { operatorOf } from './desk.ts';
import { expect, test } from './stage.ts';
import { newJob } from './studio.ts';

const apps = [
  {
    app: 'customer',
    path: `${customerPages.jobs}?status=queued`,
    list: '/api/v1/jobs?limit=50&include=work&status=queued',
  },
  { app: 'desk', path: `${deskPages.queue}?tab=mine`, list: '/api/operator/v1/jobs?holder=me&sort=due&limit=100' },
] as const;

for (const { app, path, list } of apps)
  test(`${path}: what it reads is read before the app is there, and not again`, async ({
    openAs,
    service,
    customer,
  }) => {
    await newJob(service, customer);
    const page = await openAs(app === 'desk' ? operatorOf(service) : customer);
    const read: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes('/api/')) read.push(request.url());
    });
    const listed = page.waitForRequest((request) => request.url().endsWith(list));
    await page.route(new RegExp(`/assets/${app}-[^/]+\\.js$`), async (route) => {
      await listed;
      await route.continue();
    });
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // The stream is the last thing that a page asks for by itself.
    await expect.poll(() => read.some((url) => url.endsWith('/stream'))).toBe(true);
    const first = read.slice(
      0,
      read.findIndex((url) => url.endsWith('/stream')),
    );
    expect(first).toEqual([...new Set(first)]);
  });

test('pointing at a link reads what its page shows', async ({ page }) => {
  await page.goto(customerPages.jobs);
  const usage = page.getByRole('navigation').getByRole('link', { name: 'Usage' });
  await expect(usage).toBeVisible();
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/usage'));
  await usage.hover();
  expect((await answered).status()).toBe(200);
  await expect(page).toHaveURL(customerPages.jobs);
  // From here on the page has only what was read before.
  await page.route('**/api/v1/usage', (route) => route.abort());
  await usage.click();
  await expect(page.getByRole('region', { name: 'Quota' })).toBeVisible();
});
