import { readFile } from 'node:fs/promises';
import { expectAccessible, expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';

const release = {
  format: 1,
  version: '9.0.0',
  released_at: '2027-02-01',
  upgrade_from: '0.1.0',
  node: 99,
  postgres: { oldest: 15, newest: 18 },
  migrations: ['0061_examinations', '9999_more'],
  what_to_do: ['<b>Run doctor</b> of this version.'],
};

test('an owner has the installation examined, compares a release, and saves a support bundle', async ({
  service,
  openAs,
}) => {
  const page = await openAs(operatorOf(service));
  await expectAccessible(page, '/desk/health');
  await expect(page.getByText('The service has not examined itself so far.')).toBeVisible();
  await page.getByRole('button', { name: 'Examine now' }).click();
  const look = page.getByRole('region').filter({ hasText: 'Needs a look' }).or(page.locator('.panel')).first();
  await expect(look).toContainText('This is a trial', { timeout: 60_000 });
  await expect(page.getByText(/^Examined/)).toBeVisible();
  await expect(page.getByText('All 61 migrations are applied.')).toBeHidden();
  await page.getByText('Fine', { exact: true }).click();
  await expect(page.getByText(/^migrations: All \d+ migrations are applied/)).toBeVisible();
  await expectNoFinding(page, 'findings');
  await expectReadableInDark(page, 'findings');

  const choose = (text: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'release.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await choose('v9.0.0');
  await expect(page.getByRole('alert')).toContainText('The file is not JSON.');
  await choose(JSON.stringify(release));
  await expect(page.getByText(/may go to 9\.0\.0 directly/)).toBeVisible();
  await expect(page.getByText(/It needs Node 99/)).toBeVisible();
  await expect(page.getByText('<b>Run doctor</b> of this version.')).toBeVisible();
  await expectNoFinding(page, 'a newer version');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save a support bundle' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('atelier-support.json');
  const bundle = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(bundle.findings.length).toBeGreaterThan(20);
});
