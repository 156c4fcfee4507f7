import { readFileSync } from 'node:fs';
import { saveAsCsv } from '../csv.ts';
import { newOperator, newWorker, operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { handOver, move, newJob } from '../studio.ts';

test('who is no operator is not let in, and led to their own jobs', async ({ page }) => {
  await page.goto('/desk');
  await expect(page.getByText('This is the desk of the studio, for its operators.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to your jobs' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('a customer is found by name, address or id, with plans, members, jobs and payments on one page', async ({
  service,
  customer,
  openAs,
}) => {
  await newJob(service, customer, { customer_title: 'Found by its account' });
  const page = await openAs(operatorOf(service));
  await page.goto('/desk/accounts');
  await page.getByLabel('Find an account').fill(customer.email);
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: customer.name })).toBeVisible();
  await expect(page.getByText(customer.email).first()).toBeVisible();
  await expect(page.getByRole('link', { name: /Found by its account/ })).toBeVisible();
  await expect(page.getByText(/1 of 500 jobs/)).toBeVisible();
  await expect(page.getByText('customer.subscription.created', { exact: true })).toBeVisible();
  expect(await page.title()).toMatch(/Account · Atelier$/);
});

test('mod+K finds a job of any customer by its title', async ({ service, customer, openAs }) => {
  const title = `Sought ${Date.now()}`;
  const job = await newJob(service, customer, { customer_title: title });
  const page = await openAs(operatorOf(service));
  await page.goto('/desk/figures');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Pages, actions, jobs').fill(title);
  await page.getByRole('button', { name: new RegExp(title) }).click();
  await expect(page).toHaveURL(new RegExp(job));
});

test('a worker key is made, shown once, works, and is revoked', async ({ service, customer, openAs }) => {
  const page = await openAs(operatorOf(service));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const name = `Renderer ${Date.now()}`;
  await page.goto('/desk/workers');
  await page
    .getByRole('button', { name: 'New worker key' })
    .or(page.getByRole('button', { name: 'Make a worker key' }))
    .first()
    .click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).first().click();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await newJob(service, customer);
  const { job } = await service.call('POST', '/api/operator/v1/jobs/claim', key, {});
  const row = page.getByRole('row', { name: new RegExp(name) });
  await expect(row).toContainText(job.customer_title);
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
  await expect(row).toContainText('revoked');
  await expect(service.call('POST', '/api/operator/v1/jobs/claim', key, {})).rejects.toThrow('401');
});

test('figures tell what was created and delivered, the audit who did it, and both survive a reload', async ({
  service,
  customer,
  openAs,
}) => {
  const title = `Audited ${Date.now()}`;
  const job = await newJob(service, customer, { customer_title: title });
  await move(service, job, 'accept', 'start');
  await handOver(service, job, [], 'Here it is.');
  await newWorker(service, 'for the audit');
  const page = await openAs(operatorOf(service));
  await page.goto('/desk/figures?range=week');
  await expect(
    page.getByRole('table', { name: 'Figures per service' }).getByRole('row', { name: /^Design/ }),
  ).toContainText(/under a minute|\dm/);

  await page.goto('/desk/audit');
  await page.getByRole('combobox', { name: 'Job or other id' }).fill(title);
  await page.getByRole('option', { name: title }).click();
  await expect(page.getByRole('row', { name: /Ordered the job/ })).toHaveCount(1);
  await expect(page.getByRole('row', { name: /Passed the work to the customer/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Ordered the job/ })).toContainText(customer.name);
  await page.reload();
  await expect(page.getByRole('row', { name: /Ordered the job/ })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as JSON lines' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line).action)).toContain('job.created');
  await expect(page.getByRole('row', { name: /Ordered the job/ }).getByRole('link', { name: title })).toBeVisible();
  const rows = await saveAsCsv(page);
  expect(rows).toHaveLength(lines.length);
  expect(rows[0]).toMatchObject({ 'On, name': title });
});

test('the audit says who handed a job to whom and why one was rejected, in words and not in codes', async ({
  service,
  customer,
  openAs,
}) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept');
  const colleague = await newOperator(service, 'Olga Colleague');
  await service.call('POST', `/api/operator/v1/jobs/${job}/hold`, colleague.token, {});
  await move(service, job, 'reject');
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/audit?subject=${job}`);
  const handed = page.getByRole('row', { name: /handed it over/ });
  await expect(handed).toContainText('from Operator, to Olga Colleague');
  await expect(page.getByRole('row', { name: /Rejected the job/ })).toContainText('Out of scope');
  await handed.getByRole('cell').nth(2).getByRole('link', { name: 'Olga Colleague' }).click();
  await expect(page.getByRole('row', { name: /Signed in/ }).first()).toContainText('Olga Colleague');
});

test('who holds no job takes the next one from the empty list of their own, or reads that list from a terminal', async ({
  service,
  customer,
  openAs,
}) => {
  await newJob(service, customer);
  const colleague = await newOperator(service, 'Nina Newcomer');
  const page = await openAs(colleague);
  await page.goto('/desk?tab=mine');
  await expect(page.getByText('You hold no job.')).toBeVisible();
  const command = await page.getByRole('main').locator('.code').innerText();
  const { pathname, search } = new URL(/'(http[^']+)'/.exec(command)![1]!);
  const { jobs } = await service.call('GET', pathname + search, colleague.token);
  expect(jobs).toEqual([]);
  await page.getByRole('button', { name: 'Take the next job' }).click();
  await expect(page).toHaveURL(/\/desk\/jobs\/job_/);
  await page.goto('/desk/payments');
  const events = page.getByRole('region', { name: 'Events' });
  await events.getByRole('button', { name: 'Show all events' }).click();
  await expect(events.getByRole('listitem').first()).toContainText('Processed');
});

test('times are in UTC once that is chosen, on each page and after a reload', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  const ordered = page
    .getByRole('term')
    .filter({ hasText: /^Ordered$/ })
    .locator('+ dd');
  await expect(ordered).not.toContainText('UTC');
  const local = await ordered.innerText();
  await page
    .getByRole('button', { name: /Operator/ })
    .first()
    .click();
  await page.getByRole('menuitemcheckbox', { name: 'Times in UTC' }).click();
  await expect(ordered).toContainText('UTC');
  await page.reload();
  await expect(ordered).toContainText('UTC');
  // Berlin, where the test's browser is, is at least an hour ahead.
  const hour = (words: string) => Number(/(\d\d):\d\d/.exec(words)?.[1]);
  expect((hour(local) - hour(await ordered.innerText()) + 24) % 24).toBeGreaterThan(0);
  await page.goto(`/desk/audit?subject=${job}`);
  await expect(page.getByRole('row', { name: /Ordered the job/ })).toContainText('UTC');
  await page
    .getByRole('button', { name: /Operator/ })
    .first()
    .click();
  await page.getByRole('menuitemcheckbox', { name: 'Times in UTC', checked: true }).click();
  await expect(page.getByRole('row', { name: /Ordered the job/ })).not.toContainText('UTC');
});

test('a standing note about a customer is written on the account and read beside each of its jobs', async ({
  service,
  customer,
  openAs,
}) => {
  const job = await newJob(service, customer, { customer_title: 'With a note beside it' });
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/accounts?q=${encodeURIComponent(customer.email)}`);
  await page.getByRole('link', { name: customer.name }).first().click();
  await page.getByRole('button', { name: 'Write a note' }).click();
  await page.getByLabel('Note', { exact: true }).fill('Never call before ten.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Never call before ten.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change the note' })).toBeVisible();
  await page.goto(`/desk/jobs/${job}`);
  await expect(page.getByText('About the customer')).toBeVisible();
  await expect(page.getByText('Never call before ten.')).toBeVisible();
});
