import { type TOTP, URI } from 'otpauth';
import { operatorOf } from '../desk.ts';
import { startService } from '../start-service.ts';
import { expect, test } from '../stage.ts';
import { newJob } from '../studio.ts';

test('no title or address of the desk holds a customer’s words, and nothing of them is kept', async ({
  service,
  customer,
  openAs,
}) => {
  const title = `Secret merger ${Date.now()}`;
  const job = await newJob(service, customer, { customer_title: title });
  const { account } = await service.call('GET', '/api/v1/me', customer.token);
  const page = await openAs(operatorOf(service));
  const kept: string[] = [];
  page.on('response', (answer) => {
    const control = answer.headers()['cache-control'] ?? '';
    const path = new URL(answer.url()).pathname;
    // The catalog is everybody's.
    if (path.startsWith('/api/') && path !== '/api/v1/catalog' && !/no-store/.test(control))
      kept.push(`${path}: ${control || 'nothing said'}`);
  });
  const pages = [
    '/desk',
    `/desk/jobs/${job}`,
    `/desk/accounts/${account.id}`,
    '/desk/accounts',
    '/desk/workers',
    '/desk/operators',
    '/desk/apps',
    '/desk/studio',
    '/desk/money',
    '/desk/payments',
    '/desk/figures',
    '/desk/reports',
    '/desk/audit',
    '/desk/health',
  ];
  for (const path of pages) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
    for (const words of [title, 'Secret', customer.name, customer.email]) {
      expect(await page.title(), path).not.toContain(words);
      expect(decodeURIComponent(page.url()), path).not.toContain(words);
    }
  }
  expect(kept).toEqual([]);
});

test('where a second factor is required the desk asks for it, and opens the page once there is one', async ({
  browser,
}) => {
  test.slow();
  process.env.OPERATOR_SECOND_FACTOR = 'required';
  const service = await startService().finally(() => delete process.env.OPERATOR_SECOND_FACTOR);
  try {
    const context = await browser.newContext({ baseURL: service.url });
    const headers = { origin: service.url };
    const { password } = service.operator;
    const signIn = (code?: string) =>
      context.request.post('/api/auth/sign-in/email', {
        data: { ...service.operator, ...(code && { code }) },
        headers,
      });
    expect((await signIn()).status()).toBe(200);
    const page = await context.newPage();
    await page.goto('/desk/accounts');
    await expect(page.getByText('The desk asks its operators for one.')).toBeVisible();
    await page.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Set it up' }).click();
    await expect(page.getByRole('img', { name: 'QR code of the secret' })).toBeInViewport();
    const address = (await page.getByRole('link', { name: 'open it in the app' }).getAttribute('href')) ?? '';
    const phone = URI.parse(address) as TOTP;
    await page.getByLabel('3. The six digits').fill(phone.generate({ timestamp: Date.now() - 30_000 }));
    await page.getByRole('button', { name: 'Switch it on' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Accounts' })).toBeVisible();
    await page.goto('/desk/operators');
    await expect(
      page.getByRole('row', { name: service.operator.email }).getByRole('cell', { name: 'on' }),
    ).toBeVisible();
    // Without a reload the open page asks no more, and shows what is needed.
    const data = { password, code: phone.generate() };
    expect((await context.request.post('/api/auth/second-factor/end', { data, headers })).status()).toBe(200);
    await expect(page.getByRole('heading', { name: 'A second factor is needed' })).toBeVisible({ timeout: 10_000 });
    await context.close();
  } finally {
    await service.stop();
  }
});
