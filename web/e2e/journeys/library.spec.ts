import { readFileSync } from 'node:fs';
import { unzip } from '../../../test/support/zip.ts';
import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { askForChanges, deliverFiles, newDelivery } from '../reviewing.ts';
import type { Person, Service } from '../start-service.ts';
import { expect, test } from '../stage.ts';
import { newCustomer } from '../studio.ts';

async function finishJob(service: Service, customer: Person, ...names: string[]): Promise<string> {
  const { job, files } = await newDelivery(service, customer, 'notes.txt');
  await askForChanges(service, customer, job, [{ file_id: files['notes.txt'], text: 'Rounder.' }]);
  await deliverFiles(service, job, ...names);
  await service.call('POST', `/api/v1/jobs/${job}/approve`, customer.token);
  return job;
}

test('approved work is found as tiles, walked by keys, unfolded, and saved as one zip @change', async ({
  service,
  customer,
  page,
}) => {
  await page.goto('/files');
  await expect(page).toHaveURL(/\/library$/);
  await expect(page.getByText('Nothing is approved yet.')).toBeVisible();
  const first = await finishJob(service, customer, 'rise-colour.png', 'rise-mono.pdf');
  const second = await finishJob(service, customer, 'rise-colour.png');
  await page.reload();
  const tiles = page.getByRole('article');
  await expect(tiles).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Approved 2' })).toHaveAttribute('aria-pressed', 'true');
  await expect(tiles.first()).toContainText(/Kept until /);
  await expectNoFinding(page, 'library');
  await expectReadableInDark(page, 'library');

  await tiles
    .first()
    .getByRole('link', { name: /^Open Logo/ })
    .focus();
  await page.keyboard.press('ArrowRight');
  await expect(tiles.nth(1).getByRole('link', { name: /^Open Logo/ })).toBeFocused();
  const begun = page.waitForEvent('download');
  await page.keyboard.press('d');
  const names = unzip(readFileSync(await (await begun).path())).map(({ name }) => name);
  expect(names).toEqual(['rise-colour.png', 'rise-mono.pdf']);
  await page.keyboard.press('/');
  await page.keyboard.type('mono');
  await expect(tiles).toHaveCount(1);
  await page.getByLabel('Find a job or a file').fill('no such file');
  await expect(page.getByText('No job or file like this.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();

  await tiles.nth(1).getByRole('button', { name: '1 earlier delivery' }).click();
  const unfolded = page.getByRole('region', { name: /^Files of Logo/ });
  await expect(unfolded.getByRole('link', { name: 'Open rise-mono.pdf' })).toBeVisible();
  await expect(unfolded.getByText(/1 file, not approved/)).toBeVisible();
  await expectNoFinding(page, 'unfolded job');
  await page.keyboard.press('Enter');
  await expect(tiles).toHaveCount(2);

  const all = page.waitForEvent('download');
  await page.getByRole('button', { name: 'All approved, .zip' }).click();
  expect(unzip(readFileSync(await (await all).path()))).toHaveLength(3);

  await tiles
    .first()
    .getByRole('link', { name: /^Open Logo/ })
    .press('Enter');
  await expect(page).toHaveURL(new RegExp(`/jobs/${second}\\?review=file_`));
  await page.goto(`/library?q=${first}`);
  await expect(tiles).toHaveCount(1);
});

test('a link shows the chosen jobs to a guest, and nothing else, until it is revoked @change', async ({
  service,
  customer,
  page,
  openAs,
}) => {
  await finishJob(service, customer, 'rise-colour.png', 'notes.txt');
  await finishJob(service, customer, 'rise-mono.pdf');
  await page.goto('/library');
  await page.getByRole('article').first().hover();
  await page
    .getByRole('button', { name: /^Link to show Logo/ })
    .first()
    .click();
  await page.getByLabel('For whom?').fill('Printer');
  const made = page.waitForResponse(
    (answer) => answer.url().endsWith('/show-links') && answer.request().method() === 'POST',
  );
  await page.getByRole('button', { name: 'Create a link' }).click();
  const { url } = await (await made).json();
  const guest = await openAs(null);
  await guest.goto(url);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Finished work');
  await expect(guest.getByRole('button', { name: 'Open rise-mono.pdf' })).toBeVisible();
  await expect(guest.getByRole('button', { name: 'Open rise-colour.png' })).toHaveCount(0);
  await expectNoFinding(guest, 'finished work');
  const begun = guest.waitForEvent('download');
  await guest.getByRole('button', { name: 'All, .zip' }).click();
  expect(unzip(readFileSync(await (await begun).path())).map(({ name }) => name)).toEqual([
    'Logo for a neighbourhood bakery/rise-mono.pdf',
  ]);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('button', { name: 'Link to show', exact: true }).click();
  await page.getByRole('button', { name: 'Revoke Printer' }).click();
  await page.getByRole('button', { name: 'Keep Printer' }).click();
  await page.getByRole('button', { name: 'Revoke Printer' }).click();
  await expect(page.getByRole('button', { name: 'Keep Printer' })).toBeVisible();
  // Closing the dialog ends it at once.
  const ended = page.waitForResponse((answer) => answer.url().endsWith('/revoke'));
  await page.keyboard.press('Escape');
  await ended;
  await guest.reload();
  await expect(guest.getByText('This link does not open anything any more.')).toBeVisible();
});

test('an owner keeps files for longer, a member is not offered it; own uploads are deleted', async ({
  service,
  customer,
  page,
  openAs,
}) => {
  await finishJob(service, customer, 'rise-colour.png');
  await page.goto('/library');
  await page.getByRole('button', { name: '1 earlier delivery' }).click();
  await page.getByRole('button', { name: 'Keep longer' }).click();
  await page.getByRole('button', { name: /^Keep until / }).click();
  await expect(page.getByRole('button', { name: 'Keep longer' })).toHaveCount(0);
  await expect(page.getByText(/^Kept until .*\d{4}/)).toBeVisible();

  const member = await newCustomer(service, 'Jonas Weber');
  await service.call('POST', '/api/auth/invitations', customer.token, { email: member.email, role: 'member' });
  await finishJob(service, customer, 'rise-colour.png');
  const other = await openAs(member);
  await other.goto('/');
  await other.getByRole('button', { name: 'Join the account' }).click();
  await expect(other.locator('.nav-select')).toContainText('Ada Lovelace');
  await other.getByRole('link', { name: 'Library' }).click();
  await other.getByRole('button', { name: '1 earlier delivery' }).first().click();
  await expect(other.getByRole('region', { name: /^Files of Logo/ })).toBeVisible();
  await expect(other.getByRole('button', { name: 'Keep longer' })).toHaveCount(0);

  await page.goto('/library?view=mine');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'menu.txt', mimeType: 'text/plain', buffer: Buffer.from('Rye') });
  await page.getByRole('button', { name: 'Delete menu.txt' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('row', { name: /menu\.txt/ })).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test('one column, both actions at the foot, and no page wider than the screen', async ({
    service,
    customer,
    page,
  }) => {
    await finishJob(service, customer, 'rise-colour.png');
    await page.goto('/library');
    const zip = page.getByRole('button', { name: 'All approved, .zip' });
    await expect(zip).toBeInViewport();
    expect((await zip.boundingBox())!.y).toBeGreaterThan(760);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expectNoFinding(page, 'library on a phone');
  });
});
