import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { newMacros, newOperator, newQueue, operatorOf } from '../desk.ts';
import { askForChanges, newDelivery } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import { deliver, move, newJob } from '../studio.ts';

const fixture = new URL('../fixtures/rise-colour.png', import.meta.url);
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const dialog = (page: Page) => page.getByRole('dialog');
const button = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true });
const status = (page: Page) => page.getByRole('status');

type Click = { at: Locator } & Parameters<Locator['click']>[0];

/** Clicks one after the other; answers how many clicks that took. */
async function click(...clicks: (Locator | Click)[]): Promise<number> {
  for (const each of clicks) await ('at' in each ? each.at.click(each) : each.click());
  return clicks.length;
}

/** Into the field of the dialog. */
const insertFirstMacro = (page: Page) => click(button(dialog(page), 'Macros'), page.getByRole('option').first());

test('a job is taken, delivered and kept back by five clicks', async ({ service, customer, openAs }) => {
  await newJob(service, customer, { service_type: 'image_cutout', customer_title: 'Clicks: one' });
  const page = await openAs(operatorOf(service));
  await page.goto('/desk');
  await expect(page.getByRole('row', { name: /Clicks: one/ })).toBeVisible();
  expect(await click(button(page, 'Take next')), 'take the next due').toBe(1);
  await expect(button(page, 'Start work')).toBeVisible();
  const title = await heading(page).textContent();
  const chooser = page.waitForEvent('filechooser');
  let clicks = 1 + (await click(button(page, 'Start work'), button(page, 'Choose files')));
  await (await chooser).setFiles(fileURLToPath(fixture));
  await expect(page.getByRole('link', { name: 'rise-colour.png' })).toBeVisible();
  clicks += await click(button(page, 'Deliver'));
  expect(clicks, 'deliver').toBeLessThanOrEqual(4);
  await expect(page.getByRole('region', { name: 'Going out' })).toContainText(title!);
  expect(await click(button(page, 'Undo')), 'undo it').toBe(1);
  await expect(heading(page)).toHaveText(title!);
});

test('work is reviewed by one click a job, and returned and rejected with a macro', async ({
  service,
  customer,
  openAs,
}) => {
  await newMacros(service);
  for (const job of await newQueue(service, customer, 'Judged: one', 'Judged: two', 'Judged: three')) {
    await move(service, job, 'accept', 'start');
    const file = await deliver(service, job, fixture);
    await move(service, job, { submit: { file_ids: [file], message: 'For a look.' } });
  }
  const page = await openAs(await newOperator(service));
  await page.goto('/desk?tab=review&q=Judged:');
  await page.getByRole('link', { name: /Judged: one/ }).dblclick();
  await expect(page.getByText('1 of 3')).toBeVisible();
  const first = await heading(page).textContent();
  expect(await click(button(page, 'Review delivery 1')), 'look at it').toBe(1);
  await expect(page.getByTestId('stage')).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await click(button(page, 'Pass')), 'review a job').toBe(1);
  await expect(heading(page)).not.toHaveText(first!);

  const second = await heading(page).textContent();
  let clicks = await click(button(page, 'Return'));
  clicks += (await insertFirstMacro(page)) + (await click(button(dialog(page), 'Return it')));
  expect(clicks, 'return with a macro').toBeLessThanOrEqual(4);
  await expect(heading(page)).not.toHaveText(second!);

  clicks = await click(button(page, 'Reject'));
  clicks += (await insertFirstMacro(page)) + (await click(button(dialog(page), 'Reject the job')));
  expect(clicks, 'reject with a macro').toBeLessThanOrEqual(5);
  await expect(status(page)).toContainText('Rejected');
});

test('a question takes two clicks, three comments three, and a hand-over three', async ({
  service,
  customer,
  openAs,
}) => {
  const { job, files } = await newDelivery(service, customer, 'rise-colour.png');
  const file_id = files['rise-colour.png'];
  const changes = ['Warmer', 'Larger', 'Rounder'].map((text) => ({ file_id, text }));
  await askForChanges(service, customer, job, changes);
  await newOperator(service, 'Bea');
  await newOperator(service, 'Cem');
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  const ticks = page.getByRole('region', { name: 'Changes asked for' }).getByRole('checkbox');
  expect(await click(ticks.nth(0), ticks.nth(1), ticks.nth(2)), 'tick three comments').toBe(3);
  await expect(page.getByText('3 of 3 done')).toBeVisible();

  let clicks = await click(page.getByLabel('Write to the customer', { exact: true }));
  await page.keyboard.insertText('Which red?');
  clicks += await click(button(page, 'Ask and stop the clock'));
  expect(clicks, 'ask and stop the clock').toBeLessThanOrEqual(2);
  await expect(status(page).filter({ hasText: 'Waits for the customer' })).toBeVisible();

  clicks = await click(button(page, 'Hand over'), page.getByRole('option', { name: /Bea/ }));
  clicks += await click(button(dialog(page), 'Hand over'));
  expect(clicks, 'hand over one job').toBeLessThanOrEqual(3);
  await expect(page.getByText('Bea prepares it.')).toBeVisible();
});

test('nine jobs are accepted by three clicks', async ({ service, customer, openAs }) => {
  const word = `Ninth${Date.now()}`;
  await newQueue(service, customer, ...Array.from({ length: 9 }, (_, index) => `${word} ${index}`));
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk?q=${word}`);
  const boxes = page.getByRole('checkbox');
  await expect(boxes).toHaveCount(9);
  const all = [boxes.first(), { at: page.locator('a[data-row]').last(), modifiers: ['Shift' as const] }];
  const accept = page.getByRole('region', { name: 'Selected jobs' }).getByRole('button', { name: /^Accept/ });
  expect(await click(...all, accept), 'accept nine jobs').toBe(3);
  await expect(page.getByText('9 jobs accepted.')).toBeVisible();
});
