import { expectNoFinding } from '../accessible.ts';
import { expect, test } from '../stage.ts';

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const)
  test(`one row of the settings is open at a time, by keyboard, ${colorScheme}, ${width} px`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/settings');
    await expect(page.getByRole('group', { name: 'Signed in' })).toContainText('this one');
    await expect(page.locator('.panel')).toHaveCount(0);
    await expect(page.locator('main input')).toHaveCount(0);
    await expectNoFinding(page, 'closed settings');
    const name = page.getByRole('button', { name: 'Change: Your name' });
    await name.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Your name' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(name).toBeFocused();
    await name.click();
    await page.getByRole('button', { name: 'Change: Password' }).click();
    await expect(page.getByRole('textbox', { name: 'Your name' })).toHaveCount(0);
    await expect(page.getByLabel('Current password')).toBeFocused();
    await expectNoFinding(page, 'an open row');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Change: Password' })).toBeFocused();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);
  });

test('a person names themselves anew, and the row says so', async ({ page }) => {
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Change: Your name' }).click();
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada King');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Your name' })).toContainText('Ada King');
  await expect(page.getByRole('button', { name: 'Change: Your name' })).toBeFocused();
});

test('a calendar address is made, shown once, answered, and ended', async ({ page, service }) => {
  await page.goto('/settings#apps');
  const row = page.getByRole('group', { name: 'Calendar' });
  await expect(row).toContainText('Off');
  await row.getByRole('button', { name: 'Set up: Calendar' }).click();
  await row.getByLabel('Show the titles of jobs').check();
  await row.getByRole('button', { name: 'Make the address' }).click();
  const address = (await row.locator('pre').innerText()).trim();
  const feed = () => page.request.get(service.url + new URL(address).pathname);
  expect((await feed()).headers()['content-type']).toContain('text/calendar');
  await page.reload();
  await expect(row).toContainText('On · with titles');
  await row.getByRole('button', { name: 'Change: Calendar' }).click();
  await expect(row.locator('pre')).toHaveCount(0);
  await row.getByRole('button', { name: 'End it' }).click();
  await expect(row).toContainText('Make the address');
  expect((await feed()).status()).toBe(404);
});
