import type { Locator, Page } from '@playwright/test';
import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import { askForChanges, deliverFiles, newDelivery, openReview } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import { move, newJob } from '../studio.ts';

const empty = { name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) };
const font = { name: 'font.otf', mimeType: 'font/otf', buffer: Buffer.from('%PDF-1.7\n') };
const program = { name: 'setup.exe', mimeType: '', buffer: Buffer.from('MZ') };

/** What refuses each of the three files, and that none of them is offered for another try. */
async function expectRefusals(page: Page, row: (name: string) => Locator) {
  await expect(row(empty.name)).toContainText('This file is empty.');
  await expect(row(font.name)).toContainText('The file begins like a PDF, not like font/otf.');
  await expect(row(font.name)).toContainText('Choose another file, or send it in a .zip.');
  await expect(row(program.name)).toContainText('.exe files are not taken. Send the file in a .zip.');
  await row(program.name).getByText('What is taken').click();
  await expect(row(program.name)).toContainText(/pictures \(.*psd/);
  await expect(page.getByRole('button', { name: /^Try .*again$/ })).toHaveCount(0);
}

test('an empty file, one with other bytes and one of a refused kind name the reason, and no other try is offered', async ({
  service,
  customer,
  page,
  openAs,
}) => {
  const files = [empty, font, program];
  await page.goto('/library?view=mine');
  await page.locator('input[type=file]').setInputFiles(files);
  await expectRefusals(page, (name) => page.getByRole('listitem').filter({ hasText: name }));
  await expectNoFinding(page, 'refused files');
  await expectReadableInDark(page, 'refused files');

  await page.goto('/jobs/new?family=design&type=logo');
  await page.locator('input[type=file]').last().setInputFiles(files);
  await expectRefusals(page, (name) => page.getByRole('listitem').filter({ hasText: name }));

  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk/jobs/${job}`);
  const choosing = desk.waitForEvent('filechooser');
  await desk.getByRole('button', { name: 'Choose files' }).click();
  await (await choosing).setFiles(files);
  await expectRefusals(desk, (name) => desk.getByRole('listitem').filter({ hasText: name }));
});

test('files that a later delivery lacks are named in the delivery and in the comparison', async ({
  service,
  customer,
  page,
}) => {
  const { job, files } = await newDelivery(service, customer, 'rise-colour.png', 'notes.txt', 'rise-mono.pdf');
  await askForChanges(service, customer, job, [{ file_id: files['rise-colour.png'], text: 'Warmer, please.' }]);
  const second = await deliverFiles(service, job, 'rise-colour.png');
  await openReview(page, job, second['rise-colour.png']);
  await page.getByText('2 files are not in this delivery').click();
  for (const name of ['notes.txt', 'rise-mono.pdf'])
    await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible();
  await expectNoFinding(page, 'a delivery that lacks files');

  await openReview(page, job, second['rise-colour.png'], '&compare=1');
  await page.getByText('2 files are not in delivery 2').click();
  await expect(page.getByRole('listitem').filter({ hasText: 'rise-mono.pdf' })).toBeVisible();
  await expectReadableInDark(page, 'a comparison that lacks files');
});
