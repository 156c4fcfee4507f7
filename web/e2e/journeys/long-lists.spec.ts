import type { Locator, Page } from '@playwright/test';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { buy, move, newConversation, newCustomer, newJob } from '../studio.ts';
import type { Person, Service } from '../start-service.ts';

/** Lists as they are after some months: more than is read at once. */
test.slow();

const titles = (count: number) => Array.from({ length: count }, (_, n) => `Job ${String(n + 1).padStart(3, '0')}`);

/** Ordered and rejected at once, as only so many may be open together. */
async function newEndedJobs(service: Service, person: Person, count: number): Promise<void> {
  for (const customer_title of titles(count)) {
    const id = await newJob(service, person, { customer_title });
    await move(service, id, 'reject');
  }
}

const firstCells = (list: Locator) => list.locator('tbody tr td:first-child').allInnerTexts();
const more = (page: Page) => page.getByRole('button', { name: 'Show more' });

test('150 jobs: each page follows the one before, none comes twice, and a new one moves no row', async ({
  service,
  customer,
  page,
}) => {
  await newEndedJobs(service, customer, 150);
  await page.goto('/jobs');
  const list = page.getByRole('table', { name: 'Jobs' });
  await expect(list.locator('tbody tr')).toHaveCount(50);
  await more(page).scrollIntoViewIfNeeded();
  const last = list.getByRole('link', { name: /Job 101/ });
  const before = await last.boundingBox();
  await more(page).click();
  await expect(list.locator('tbody tr')).toHaveCount(100);
  expect(await last.boundingBox(), 'the page stays where it was').toEqual(before);
  await more(page).click();
  await expect(list.locator('tbody tr')).toHaveCount(150);
  await expect(more(page)).toHaveCount(0);
  const shown = (await firstCells(list)).map((cell) => cell.split('\n')[0]);
  expect(shown).toEqual(titles(150).toReversed());

  const first = list.getByRole('link', { name: /Job 150/ });
  await first.scrollIntoViewIfNeeded();
  const place = await first.boundingBox();
  await newJob(service, customer, { customer_title: 'Made elsewhere' });
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible();
  expect(await first.boundingBox(), 'no row moves under the cursor').toEqual(place);
  await page.getByRole('button', { name: '1 new' }).click();
  await expect(list.locator('tbody tr').first()).toContainText('Made elsewhere');

  // What is searched and found is found on any page; what is found no more leaves the field, too.
  await page.getByLabel('Find a job').fill('Job 007');
  await expect(list.locator('tbody tr')).toHaveCount(1);
  // The rows of a search are no measure of what is new in the whole list.
  await page.getByLabel('Find a job').fill('');
  await expect(list.locator('tbody tr').first()).toContainText('Made elsewhere');
  await page.getByLabel('Find a job').fill('no such title');
  await page.getByRole('button', { name: 'Show all jobs' }).click();
  await expect(page.getByLabel('Find a job')).toHaveValue('');
  await expect(list.locator('tbody tr').first()).toContainText('Made elsewhere');
});

test('60 files: the list goes on', async ({ service, customer, page }) => {
  for (let n = 1; n <= 60; n++)
    await service.call('POST', '/api/v1/files/presign', customer.token, {
      purpose: 'job_source',
      file_name: `file-${n}.png`,
      content_type: 'image/png',
      size_bytes: 100,
    });
  await page.goto('/library?view=mine');
  const list = page.getByRole('table', { name: 'Files without a job' });
  await expect(list.locator('tbody tr')).toHaveCount(50);
  await more(page).click();
  await expect(list.locator('tbody tr')).toHaveCount(60);
  expect(new Set(await firstCells(list)).size).toBe(60);
});

test('30 conversations: the list goes on', async ({ service, customer, page }) => {
  for (let n = 0; n < 30; n++) {
    const id = await newConversation(service, customer);
    await service.call('POST', `/api/v1/intake/sessions/${id}/close`, customer.token);
  }
  await page.goto('/concierge');
  const list = page.getByRole('table', { name: 'Conversations' });
  await expect(list.locator('tbody tr')).toHaveCount(25);
  await more(page).click();
  await expect(list.locator('tbody tr')).toHaveCount(30);
  await expect(more(page)).toHaveCount(0);
});

test('the queue and the audit log beyond a hundred rows: more comes below, and nothing above it moves', async ({
  service,
  openAs,
}) => {
  // A plan keeps 25 jobs open at the same time.
  const company = `Company ${Date.now()}`;
  for (let n = 1; n <= 5; n++) {
    const person = await newCustomer(service);
    await buy(service, person, 'studio');
    for (const title of titles(25)) await newJob(service, person, { customer_title: `${company} ${n} ${title}` });
  }
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk?q=${encodeURIComponent(company)}`);
  const rows = page.getByRole('table', { name: 'To do' }).getByRole('link', { name: new RegExp(company) });
  await expect(rows).toHaveCount(100);
  await more(page).scrollIntoViewIfNeeded();
  const before = await rows.last().boundingBox();
  const last = await rows.last().innerText();
  await more(page).click();
  await expect(rows).toHaveCount(125);
  expect(await rows.nth(99).innerText()).toBe(last);
  expect(await rows.nth(99).boundingBox()).toEqual(before);
  expect(new Set(await rows.allInnerTexts()).size).toBe(125);

  await page.goto('/desk/audit?action=job.created');
  const entries = page.getByRole('table', { name: 'Changes' }).locator('tbody tr');
  for (const count of [50, 100]) {
    await expect(entries).toHaveCount(count);
    await more(page).click();
  }
  await expect.poll(() => entries.count()).toBeGreaterThan(110);
});

test('90 days of usage fit a phone, the last of them too', async ({ service, customer, openAs }) => {
  await newJob(service, customer);
  const page = await openAs(customer);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/usage');
  await page.getByText('Last 90 days').click();
  const plot = page.locator('.day-plot');
  await expect(plot.locator('.day')).toHaveCount(90);
  const right = async (part: Locator) => ((box) => (box ? box.x + box.width : 0))(await part.boundingBox());
  expect(await right(plot.locator('.day > span').last())).toBeLessThanOrEqual(await right(plot));
});
