import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { newQueue, operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Parts of the queue' });
const today = () => new Date().toISOString().slice(0, 10);

test('a filter with days is saved as a tab that its key shows, renamed, and deleted', async ({
  service,
  customer,
  openAs,
}) => {
  const stamp = Date.now();
  await newQueue(service, customer, `Filed ${stamp} first`, `Filed ${stamp} second`);
  const page = await openAs(operatorOf(service));
  await page.goto('/desk?tab=all');
  await page.getByRole('button', { name: 'Filter' }).click();
  const fields = page.getByRole('dialog', { name: 'Filter' });
  await fields.getByLabel('Created from').fill(today());
  await fields.getByLabel('Created until').fill(today());
  await page.keyboard.press('Escape');
  await expect(page.getByText(/^\d[\d,]* jobs$/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove the filter created from' }).click();
  await expect(page).toHaveURL(/\/desk\?tab=all$/);
  await page.getByRole('searchbox', { name: 'Find a job' }).fill(`second ${stamp}`);
  await expect(page.getByRole('row', { name: `Filed ${stamp} second` })).toBeVisible();
  await expect(page.getByRole('row', { name: `Filed ${stamp} first` })).toHaveCount(0);

  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this view' });
  await dialog.getByLabel('Name').fill(`List ${stamp}`);
  expect((await new AxeBuilder({ page }).include('[role=dialog]').analyze()).violations).toEqual([]);
  await page.keyboard.press('Control+Enter');
  const tab = tabs(page).getByRole('button', { name: `List ${stamp}` });
  await expect(tab).toHaveAttribute('aria-current', 'true');

  await page.keyboard.press('1');
  await expect(tab).not.toHaveAttribute('aria-current');
  await expect(page).toHaveURL(/\/desk$/);
  await page.keyboard.press('8');
  await expect(tab).toHaveAttribute('aria-current', 'true');
  await page.reload();
  await expect(page.getByRole('row', { name: `Filed ${stamp} second` })).toBeVisible();
  await expect(page.getByRole('row', { name: `Filed ${stamp} first` })).toHaveCount(0);

  await page.goto(`${page.url()}&status=completed`);
  await expect(page.getByText('View changed')).toBeVisible();
  await page.getByRole('button', { name: 'Reset view' }).click();
  await expect(page.getByText('View changed')).toHaveCount(0);

  await page.getByRole('button', { name: 'Edit view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(`Renamed ${stamp}`);
  await page.getByRole('dialog').getByLabel('Share with the studio').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(tabs(page).getByRole('button', { name: `Renamed ${stamp}` })).toBeVisible();
  await page.getByRole('button', { name: 'Delete view' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the view' }).click();
  await expect(tabs(page).getByRole('button', { name: `Renamed ${stamp}` })).toHaveCount(0);
  await expect(page).toHaveURL(/\/desk$/);
});
