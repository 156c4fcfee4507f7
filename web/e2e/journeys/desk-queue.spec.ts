import type { Page } from '@playwright/test';
import { newQueue, newWorker, operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { buy, newCustomer } from '../studio.ts';

const row = (page: Page, title: string) => page.getByRole('row', { name: new RegExp(title) });
const peek = (page: Page) => page.getByRole('complementary', { name: 'Selected job' });

test('one click on a row shows the job in the peek, and a second one opens it', async ({
  service,
  customer,
  openAs,
}) => {
  const [first = '', second = ''] = ['Peeked first', 'Peeked second'].map((title) => `${title} ${Date.now()}`);
  await newQueue(service, customer, first, second);
  const page = await openAs(operatorOf(service));
  await page.goto('/desk?q=Peeked');
  await expect(peek(page).getByRole('heading', { level: 2 })).toHaveText(first);
  await row(page, second).click();
  await expect(peek(page).getByRole('heading', { level: 2 })).toHaveText(second);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Queue');
  await row(page, first).getByRole('link').click();
  await expect(peek(page).getByRole('heading', { level: 2 })).toHaveText(first);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Queue');
  await row(page, first).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(first);
});

test('the peek shows nothing of another job or another customer while its own is being read', async ({
  service,
  customer,
  openAs,
}) => {
  const stamp = Date.now();
  const other = await newCustomer(service, 'Grace Hopper');
  await buy(service, other, 'studio');
  await newQueue(service, customer, `Unmixed ${stamp} one`, `Other of the first ${stamp}`);
  await newQueue(service, other, `Unmixed ${stamp} two`);
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk?q=Unmixed ${stamp}`);
  await expect(peek(page)).toContainText(`Other of the first ${stamp}`);

  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/jobs\/job_|\/accounts\/acct_|account_id=/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/job=job_/);
  await expect(peek(page)).not.toContainText(`Unmixed ${stamp} one`);
  await expect(peek(page).getByRole('button', { name: 'Accept' })).toHaveCount(0);
  answer();
  await expect(peek(page).getByRole('heading', { level: 2 })).toHaveText(`Unmixed ${stamp} two`);
  await expect(peek(page)).not.toContainText(`Other of the first ${stamp}`);
});

test('f filters by a holder whose name is readable, and the choice stands beside the counts until it is removed', async ({
  service,
  customer,
  openAs,
}) => {
  const name = `press robot of the second floor ${Date.now()}`;
  await newWorker(service, name);
  await newQueue(service, customer, `Filtered ${Date.now()}`);
  const page = await openAs(operatorOf(service));
  await page.goto('/desk?q=Filtered');
  await expect(page.getByRole('row', { name: /Filtered/ }).first()).toBeVisible();
  await page.keyboard.press('f');
  await page.getByRole('combobox', { name: 'Holder' }).click();
  await page.getByRole('option', { name, exact: true }).click();
  await expect(page.getByText('No job matches “Filtered” here.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `Remove the filter ${name}` }).click();
  await expect(page.getByRole('row', { name: /Filtered/ }).first()).toBeVisible();
});

test('the title in the tab counts what is to do, and changes with a new job', async ({ service, customer, openAs }) => {
  await newQueue(service, customer, 'Counted');
  const page = await openAs(operatorOf(service));
  await page.goto('/desk');
  await expect(page).toHaveTitle(/^\(\d+.*\) Queue/);
  const count = async () => Number(/^\((\d+)/.exec(await page.title())?.[1]);
  const before = await count();
  await newQueue(service, customer, 'Counted, too');
  await expect.poll(count, { timeout: 30_000 }).toBeGreaterThan(before);
});

test('a change elsewhere reads only the rows of the jobs that changed', async ({ service, customer, openAs }) => {
  await newQueue(service, customer, `Patched first ${Date.now()}`);
  const page = await openAs(operatorOf(service));
  const reads: URLSearchParams[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/operator/v1/jobs') reads.push(searchParams);
  });
  await page.goto('/desk?q=Patched');
  await expect(row(page, 'Patched first')).toBeVisible();
  // A job that comes before the stream is open is found by the next read of the whole list.
  await expect(async () => {
    const title = `Patched ${Date.now()}`;
    const [id = ''] = await newQueue(service, customer, title);
    await expect(row(page, title)).toBeVisible();
    expect(reads.some((query) => query.getAll('id').join().includes(id))).toBe(true);
  }).toPass({ timeout: 120_000 });
});

test('the keys of the queue stand at its foot', async ({ service, customer, openAs }) => {
  await newQueue(service, customer, `Keyed ${Date.now()}`);
  const page = await openAs(operatorOf(service));
  await page.goto('/desk?q=Keyed');
  const foot = page.getByRole('group', { name: 'Keys' });
  for (const hint of ['Move', 'Open', 'Accept', 'Take next', 'Filter', 'Find']) await expect(foot).toContainText(hint);
  await foot.getByRole('button', { name: 'All keys' }).click();
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true });

  test('a title of 200 characters makes the queue no wider than the screen', async ({ service, customer, openAs }) => {
    const words = 'Twelve labels for hampers and jars '.repeat(6).slice(0, 180);
    await newQueue(service, customer, `${words} ${Date.now()}`, `${'Ä'.repeat(180)} ${Date.now()}`);
    const page = await openAs(operatorOf(service));
    await page.goto('/desk?q=Twelve labels for hampers');
    await expect(page.getByRole('row', { name: /Twelve labels/ }).first()).toBeVisible();
    const width = () => page.evaluate(() => document.documentElement.scrollWidth - screen.width);
    expect(await width()).toBeLessThanOrEqual(0);
    await page.goto(`/desk?q=${'Ä'.repeat(40)}`);
    await expect(page.getByRole('row', { name: /ÄÄÄÄ/ }).first()).toBeVisible();
    expect(await width()).toBeLessThanOrEqual(0);
  });
});
