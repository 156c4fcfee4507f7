import type { Page } from '@playwright/test';
import { saveAsCsv } from '../csv.ts';
import { newOperator, operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { move, newJob } from '../studio.ts';
import type { Person, Service } from '../start-service.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A job with more audit entries than a page of a list has. */
async function newNotedJob(service: Service, customer: Person): Promise<string> {
  const job = await newJob(service, customer, { customer_title: `Noted ${Date.now()}` });
  for (let n = 0; n < 120; n++)
    await service.call('POST', `/api/operator/v1/jobs/${job}/notes`, service.operatorToken, { body: `Note ${n}` });
  return job;
}

/** Answers that many requests for a further page as the limit of requests would. */
async function limitPages(page: Page, times: number): Promise<void> {
  let left = times;
  await page.route(/\/audit\?.*cursor=/, async (route) => {
    if (left-- <= 0) return route.continue();
    const error = { code: 'rate_limited', message: 'Too many requests.', action: 'Wait.', retry_after_seconds: 3 };
    await route.fulfill({ status: 429, headers: { 'retry-after': '3' }, json: { error } });
  });
}

test('the queue is saved with its tab, search and holder, and no cell is run by a spreadsheet', async ({
  service,
  customer,
  openAs,
}) => {
  const word = `Sheet${Date.now()}`;
  const title = `=HYPERLINK("x"), ${word}`;
  const job = await newJob(service, customer, { customer_title: title });
  await newJob(service, customer, { customer_title: 'Something else' });
  const rejected = await newJob(service, customer, { customer_title: `Rejected ${word}` });
  await move(service, rejected, 'reject');
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk?q=${word}&holder=none`);
  const rows = await saveAsCsv(page);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    Id: job,
    Title: `'${title}`,
    Customer: customer.name,
    Status: 'Queued',
    Holder: '',
    Ordered: expect.stringMatching(time),
    Due: expect.stringMatching(time),
  });
  await expect(page.getByText('1 row saved.')).toBeVisible();
  await page.goto(`/desk?tab=all&q=${word}`);
  expect((await saveAsCsv(page)).map(({ Id }) => Id)).toEqual([rejected, job]);

  const path = '/api/operator/v1/audit?action=list.exported&limit=1';
  const { audit_entries } = await service.call('GET', path, service.operatorToken);
  expect(audit_entries[0]).toMatchObject({ subject: 'jobs', details: { filters: 'sort=newest&q=*' } });
});

test('a list of several pages is saved whole, also when the service asks to wait, or is stopped', async ({
  service,
  customer,
  openAs,
}) => {
  test.slow();
  const job = await newNotedJob(service, customer);
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/audit?subject=${job}`);
  await limitPages(page, 2);
  const saved = saveAsCsv(page);
  await expect(page.getByRole('status').filter({ hasText: '100 rows so far' })).toBeVisible();
  const rows = await saved;
  expect(rows).toHaveLength(121);
  expect(new Set(rows.map((row) => row.On))).toEqual(new Set([job]));
  expect(rows.at(-1)).toMatchObject({ What: 'Ordered the job', Who: customer.name, Time: expect.stringMatching(time) });

  await limitPages(page, 1_000);
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Save as CSV' })).toBeVisible();
});

test('while it runs, the queue says of how many rows, where they are counted', async ({
  service,
  customer,
  openAs,
}) => {
  for (const title of ['One', 'Two', 'Three']) await newJob(service, customer, { customer_title: title });
  const { total } = await service.call('GET', '/api/operator/v1/jobs/total', service.operatorToken);
  const page = await openAs(operatorOf(service));
  const progress = (words: string) => page.getByRole('status').filter({ hasText: words });
  for (const [path, words] of [
    ['/desk?tab=all', `0 of ${total} rows; ends with this page`],
    ['/desk?tab=all&q=Two', '0 rows so far; ends with this page'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('row', { name: /Two/ }).first()).toBeVisible();
    const slow = Promise.withResolvers<void>();
    await page.route(/\/jobs\?/, (route) => slow.promise.then(() => route.continue()));
    const saved = saveAsCsv(page);
    await expect(progress(words)).toBeVisible();
    slow.resolve();
    await saved;
    await page.unrouteAll({ behavior: 'wait' });
  }
});

test('accounts, payments, operators, workers and reports are saved as well', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  await move(service, job, 'reject');
  await service.call('POST', '/api/operator/v1/worker-keys', service.operatorToken, { name: 'Exported robot' });
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/accounts?q=${encodeURIComponent(customer.email)}`);
  expect(await saveAsCsv(page)).toMatchObject([{ Name: customer.name, Owner: customer.email, 'Open jobs': '0' }]);
  await page.goto('/desk/payments?outcome=processed');
  expect((await saveAsCsv(page))[0]).toMatchObject({ Outcome: 'processed' });
  await page.goto('/desk/operators');
  expect(await saveAsCsv(page)).toContainEqual(
    expect.objectContaining({ Email: service.operator.email, Role: 'Owner' }),
  );
  await page.goto('/desk/workers');
  expect(await saveAsCsv(page)).toContainEqual(expect.objectContaining({ Name: 'Exported robot' }));
  await page.goto('/desk/reports?per=option');
  expect(await saveAsCsv(page)).toContainEqual(expect.objectContaining({ Id: 'design.logo', Name: 'Logo' }));
});

test('a maker saves reports, and is not offered to save other lists', async ({ service, customer, openAs }) => {
  await newJob(service, customer);
  const page = await openAs(await newOperator(service, 'Mona Maker', 'maker'));
  const save = page.getByRole('button', { name: 'Save as CSV' });
  for (const path of ['/desk', '/desk/accounts']) {
    await page.goto(path);
    await expect(page.getByRole('table').first()).toBeVisible();
    await expect(save).toHaveCount(0);
  }
  await page.goto('/desk/reports');
  await expect(save).toBeVisible();
});
