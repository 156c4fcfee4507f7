import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { unzip } from '../../../test/support/zip.ts';
import { operatorOf } from '../desk.ts';
import { newDelivery, openReview } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import { move, newJob } from '../studio.ts';

/** The names in the zip that a click saves. */
async function savedBy(page: Page, click: () => Promise<void>): Promise<string[]> {
  const begun = page.waitForEvent('download');
  await click();
  const download = await begun;
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  return unzip(readFileSync(await download.path())).map(({ name }) => name);
}

test('a customer, a guest and an operator save all files of a delivery as one', async ({
  service,
  customer,
  page,
  openAs,
}) => {
  const { job, files } = await newDelivery(service, customer, 'notes.txt', 'rise-mono.pdf');
  const names = ['notes.txt', 'rise-mono.pdf'];
  await page.goto(`/jobs/${job}`);
  const link = page.getByRole('link', { name: /^All, \.zip/ });
  expect(await savedBy(page, () => link.click())).toEqual(names);
  await page.getByRole('button', { name: /^Brief/ }).click();
  const whole = page.getByRole('link', { name: /^Whole job, \.zip/ });
  expect(await savedBy(page, () => whole.click())).toEqual(names.map((name) => `Delivery 1/${name}`));
  await openReview(page, job, files['notes.txt']);
  const button = (at: Page) => at.getByRole('button', { name: 'All, .zip' });
  expect(await savedBy(page, () => button(page).click())).toEqual(names);

  const body = { name: 'Sign maker' };
  const { url } = await service.call('POST', `/api/v1/jobs/${job}/review-links`, customer.token, body);
  const guest = await openAs(null);
  await guest.goto(url);
  await guest.getByRole('button', { name: 'Look at it' }).click();
  expect(await savedBy(guest, () => button(guest).click())).toEqual(names);

  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk/jobs/${job}`);
  const ofDelivery = desk.getByRole('link', { name: 'All, .zip: delivery 1' });
  expect(await savedBy(desk, () => ofDelivery.click())).toEqual(names);
});

test('files chosen together at the desk stand in the order in which they were chosen', async ({
  service,
  customer,
  openAs,
}) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk/jobs/${job}`);
  const chosen = ['first.txt', 'second.txt', 'third.txt'].map((name, at) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.alloc(at === 0 ? 3_000_000 : 10, 'x'),
  }));
  const choosing = desk.waitForEvent('filechooser');
  await desk.getByRole('button', { name: 'Choose files' }).click();
  await (await choosing).setFiles(chosen);
  const rows = desk.getByRole('list', { name: 'Files of this delivery' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  for (const [at, { name }] of chosen.entries()) await expect(rows.nth(at)).toContainText(name);
});

test('the limit of a delivery is said before anything is uploaded', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const desk = await openAs(operatorOf(service));
  await desk.route('**/files/presign', (route) => route.fulfill({ status: 503 }));
  await desk.goto(`/desk/jobs/${job}`);
  const choosing = desk.waitForEvent('filechooser');
  await desk.getByRole('button', { name: 'Choose files' }).click();
  const file = (n: number) => ({ name: `${n}.txt`, mimeType: 'text/plain', buffer: Buffer.from('x') });
  await (await choosing).setFiles(Array.from({ length: 503 }, (_, n) => file(n)));
  await expect(desk.getByText('A delivery takes 500 files; 3 were left out.')).toBeVisible();
});
