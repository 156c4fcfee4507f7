import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { unzip } from '../../../test/support/zip.ts';
import { chooseFiles, newOperator, operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import type { Person, Service } from '../start-service.ts';
import { logo, move, newJob } from '../studio.ts';

test('the palette finds a job with its status, and the moves of the open job by their names', async ({
  service,
  customer,
  openAs,
}) => {
  const title = `Moved by name ${Date.now()}`;
  const job = await newJob(service, customer, { customer_title: title });
  await move(service, job, 'accept');
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  await expect(page.getByRole('button', { name: 'Start work' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Find' }).fill(title);
  await expect(page.getByRole('button', { name: new RegExp(`${title}.*Accepted`) })).toBeVisible();
  await page.getByRole('textbox', { name: 'Find' }).fill('Put back');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Back in the queue.')).toBeVisible();
  await expect(page.getByRole('status')).toContainText('Queued');
});

test('work on the job of a colleague cannot be started: the button and its key say who holds it', async ({
  service,
  customer,
  openAs,
}) => {
  const colleague = await newOperator(service, 'Ben Achterberg');
  const job = await newJob(service, customer);
  await service.call('POST', `/api/operator/v1/jobs/${job}/accept`, colleague.token);
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  await expect(page.getByRole('button', { name: 'Take over' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start work' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Choose files' })).toHaveCount(0);
  await expect(page.getByText('Ben Achterberg prepares it.')).toBeVisible();
});

test('all files of a job are downloaded as one', async ({ service, customer, openAs }) => {
  const chosen = Array.from({ length: 20 }, (_, n) => `shop-${n}.txt`);
  const file_ids: string[] = [];
  for (const name of chosen) file_ids.push(await newFile(service, customer, name));
  const { job } = await service.call('POST', '/api/v1/jobs', customer.token, { ...logo, file_ids });
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job.id}`);
  const begun = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Whole job, .zip' }).click();
  const download = await begun;
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  const entries = unzip(readFileSync(await download.path()));
  expect(entries.map(({ name }) => name)).toEqual(chosen.map((name) => `Files of the customer/${name}`));
  for (const [at, { bytes }] of entries.entries()) expect(bytes.toString()).toBe(`one line of ${chosen[at]}`);
});

async function newFile({ call }: Service, { token }: Person, file_name: string): Promise<string> {
  const bytes = Buffer.from(`one line of ${file_name}`);
  const { file, upload } = await call('POST', '/api/v1/files/presign', token, {
    purpose: 'job_source',
    file_name,
    content_type: 'text/plain',
    size_bytes: bytes.length,
  });
  await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: bytes });
  await call('POST', `/api/v1/files/${file.id}/complete`, token);
  return file.id;
}

test('files of a delivery stand as they were chosen, although their uploads end in another order', async ({
  service,
  customer,
  openAs,
}) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  await expect(page.getByLabel('Message to the customer')).toBeVisible();
  // The service knows the first picture last, and the page reads the job between the others.
  let answered = 0;
  await page.route('**/api/operator/v1/files/*/complete', async (route) => {
    await page.waitForTimeout([4_000, 0, 2_000][answered++] ?? 0);
    await route.continue();
  });
  const names = ['rise-colour.png', 'notes.txt', 'rise-dark.png'];
  await chooseFiles(page, ...names.map((name) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))));
  const files = page.getByRole('list', { name: 'Files of this delivery' }).getByRole('listitem');
  await expect(files).toHaveCount(3);
  await expect(files.getByRole('link')).toHaveText(names);
});
