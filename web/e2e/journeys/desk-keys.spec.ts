import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { chooseFiles, newMacros, newOperator, newQueue, operatorOf } from '../desk.ts';
import { askForChanges, newDelivery } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import { deliver, move } from '../studio.ts';

const fixture = new URL('../fixtures/rise-colour.png', import.meta.url);
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const dialog = (page: Page) => page.getByRole('dialog');

/** Presses keys one after the other; answers how many. */
async function press(page: Page, ...keys: string[]): Promise<number> {
  for (const key of keys) await page.keyboard.press(key);
  return keys.length;
}

const scrolled = (page: Page) => page.evaluate(() => scrollY);

test('a job is taken, delivered, kept back and submitted again by keys, and each page begins at its top', async ({
  service,
  customer,
  openAs,
}) => {
  await newQueue(service, customer, 'Keys: one', 'Keys: two');
  const page = await openAs(operatorOf(service));
  await page.setViewportSize({ width: 1440, height: 700 });
  await page.goto('/desk');
  await expect(page.getByRole('row', { name: /Keys: one/ })).toBeVisible();
  let keys = await press(page, 't');
  await expect(page.getByRole('button', { name: 'Start work' })).toBeVisible();
  expect(await scrolled(page), 'after t').toBe(0);
  keys += await press(page, 's');
  await expect(page.getByLabel('Message to the customer')).toBeVisible();
  await chooseFiles(page, fileURLToPath(fixture));
  await expect(page.getByRole('link', { name: 'rise-colour.png' })).toBeVisible();
  const taken = await heading(page).textContent();
  keys += 1 + (await press(page, 'Control+Enter'));
  expect(keys, 't s u Ctrl+Enter').toBe(4);
  await expect(heading(page)).not.toHaveText(taken!);
  await expect(page.getByRole('region', { name: 'Going out' })).toContainText(taken!);
  expect(await scrolled(page), 'after a move').toBe(0);
  await press(page, 'z');
  await expect(heading(page)).toHaveText(taken!);
});

test('work is reviewed by one key a job, and returned and rejected with a macro by four', async ({
  service,
  customer,
  openAs,
}) => {
  await newMacros(service);
  const jobs = await newQueue(service, customer, 'Review: one', 'Review: two', 'Review: three');
  for (const job of jobs) {
    await move(service, job, 'accept', 'start');
    const file = await deliver(service, job, fixture);
    await move(service, job, { submit: { file_ids: [file], message: 'For a look.' } });
  }
  const page = await openAs(await newOperator(service));
  await page.goto('/desk?tab=review&q=Review:');
  await expect(page.getByRole('row', { name: /Review: one/ })).toBeVisible();
  await press(page, 'j', 'o');
  await expect(page.getByText('1 of 3')).toBeVisible();
  await press(page, 'v');
  await expect(page.getByTestId('stage')).toBeVisible();
  await press(page, 'Escape');
  await expect(page).not.toHaveURL(/review=/);
  const first = await heading(page).textContent();
  await press(page, 'p');
  await expect(heading(page)).not.toHaveText(first!);

  const second = await heading(page).textContent();
  await press(page, 'r');
  await expect(dialog(page).getByLabel('What should change?')).toBeFocused();
  await press(page, '/');
  await expect(page.getByRole('listbox', { name: 'Macros' })).toBeVisible();
  await press(page, 'Enter', 'Control+Enter');
  await expect(heading(page)).not.toHaveText(second!);

  await press(page, 'R');
  await expect(dialog(page).getByLabel('Message to the customer')).toBeFocused();
  await press(page, '/');
  await expect(page.getByRole('listbox', { name: 'Macros' })).toBeVisible();
  await press(page, 'Enter', 'Control+Enter');
  await expect(page.getByRole('status')).toContainText('Rejected');
});

test('a question takes two keys beside its words, three comments three, and a hand-over five', async ({
  service,
  customer,
  openAs,
}) => {
  const { job, files } = await newDelivery(service, customer, 'rise-colour.png');
  const file_id = files['rise-colour.png'];
  await askForChanges(
    service,
    customer,
    job,
    ['Warmer', 'Larger', 'Rounder'].map((text) => ({ file_id, text })),
  );
  await newOperator(service, 'Bea');
  await newOperator(service, 'Cem');
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  await expect(page.getByText('0 of 3 done')).toBeVisible();
  for (const done of [1, 2, 3]) {
    await press(page, 'x');
    await expect(page.getByText(`${done} of 3 done`)).toBeVisible();
  }
  await press(page, 'm');
  await page.keyboard.insertText('Which red?');
  await press(page, 'Control+Shift+Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Waits for the customer' })).toBeVisible();
  await press(page, 'Escape');
  await press(page, 'h');
  await expect(dialog(page).getByRole('combobox', { name: 'To whom?' })).toBeFocused();
  await press(page, 'ArrowDown', 'ArrowDown', 'Enter', 'Control+Enter');
  await expect(page.getByText('prepares it. Take the job over to go on with it.')).toBeVisible();
});

test('nine jobs are accepted by eleven keys, and the row stays selected', async ({ service, customer, openAs }) => {
  const word = `Nine${Date.now()}`;
  await newQueue(service, customer, ...Array.from({ length: 9 }, (_, index) => `${word} ${index}`));
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk?q=${word}`);
  const rows = page.getByRole('table').locator('tbody tr:not(.group)');
  await expect(rows).toHaveCount(9);
  const keys = await press(page, 'x', ...Array<string>(8).fill('j'), 'X', 'a');
  expect(keys).toBe(11);
  await expect(page.getByText('9 jobs accepted.')).toBeVisible();
  await press(page, 'k', 'Enter');
  await expect(page.getByText(/of 9/)).toBeVisible();
  const opened = await heading(page).textContent();
  await press(page, 'g');
  await expect(page.locator('tr.selected')).toContainText(opened!);
  await page.goBack();
  await page.goBack();
  await expect(page.locator('tr.selected')).toContainText(opened!);
});
