import { readFile } from 'node:fs/promises';
import { expectNoFinding } from '../accessible.ts';
import { expect, test } from '../stage.ts';
import { newCustomer, newPerson } from '../studio.ts';

test('my data is downloaded as a file, and a plan that runs stands against closing the account', async ({
  customer,
  page,
}) => {
  await page.goto('/settings');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ]);
  const data = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect([download.suggestedFilename(), data.user.email]).toEqual(['my-data.json', customer.email]);
  await page.getByRole('button', { name: 'Choose: Leaving' }).click();
  await expect(page.getByRole('button', { name: 'Close the account' })).toBeDisabled();
  await page.getByRole('link', { name: 'End it first' }).click();
  await expect(page).toHaveURL(/\/plans$/);
});

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const)
  test(`an owner closes the account by keyboard, ${colorScheme}, ${width} px`, async ({ openAs, service }) => {
    const person = await newCustomer(service);
    const page = await openAs(person);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Choose: Leaving' }).click();
    await page.getByRole('button', { name: 'Close the account' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Open jobs are canceled');
    await expectNoFinding(page, 'closing an account');
    await dialog.getByLabel('Current password').focus();
    await page.keyboard.type('not my password');
    await page.keyboard.press('Enter');
    await expect(dialog).toContainText('is not your password');
    await dialog.getByLabel('Current password').fill(person.password);
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('You do not belong to an account')).toBeVisible();
    await expectNoFinding(page, 'without an account');
    await page.getByRole('button', { name: 'Delete me' }).click();
    const last = page.getByRole('dialog', { name: 'Delete yourself?' });
    await last.getByLabel('Current password').fill(person.password);
    await last.getByRole('button', { name: 'Delete me' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await expect(service.call('GET', '/api/auth/session', person.token)).rejects.toThrow('401');
  });

test('who deletes themselves is told what follows, and is signed out @change', async ({ openAs, service }) => {
  const person = await newPerson(service);
  const page = await openAs(person);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Choose: Leaving' }).click();
  await page.getByRole('button', { name: 'Delete me' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete yourself?' });
  await expect(dialog).toContainText('Nobody can restore your data.');
  await dialog.getByLabel('Current password').fill(person.password);
  await dialog.getByRole('button', { name: 'Delete me' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(service.call('GET', '/api/auth/session', person.token)).rejects.toThrow('401');
});
