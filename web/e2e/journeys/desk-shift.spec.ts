import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { chooseFiles, newOperator, newQueue, newWorker, openOnceSent, operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { newJob } from '../studio.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
const row = (page: Page, title: string) => page.getByRole('row', { name: new RegExp(title) });

/** Puts the selection on a row by its link, as `j` and `k` do. */
const select = (page: Page, title: string) => page.getByRole('link', { name: title }).first().focus();

test('a shift of two operators and a worker: nobody gets the job of another @change', async ({
  service,
  customer,
  openAs,
}) => {
  const [first, second] = [`Menu ${Date.now()}`, `Card ${Date.now()}`];
  const colleague = await newOperator(service);
  const [mira, tom] = [await openAs(operatorOf(service)), await openAs(colleague)];
  await newQueue(service, customer, first, second);
  await mira.goto('/desk');
  await tom.goto('/desk');
  await expect(row(mira, first)).toContainText('Queued');
  await expect(row(tom, first)).toContainText('Queued');

  // What one accepts the other sees accepted, and cannot accept any more.
  await select(tom, first);
  await tom.keyboard.press('a');
  await expect(row(mira, first)).toContainText('Accepted');
  await select(mira, first);
  await expect(mira.getByRole('button', { name: 'Accept' })).toHaveCount(0);

  // A worker takes what comes next, under its key; the desk shows who holds it.
  let worker = '';
  let claimed: { job: { customer_title: string } } | undefined;
  for (let leases = 0; claimed?.job.customer_title !== second; leases++) {
    if (leases % 10 === 0) worker = await newWorker(service, 'press robot'); // a key holds ten leases
    claimed = await service.call('POST', '/api/operator/v1/jobs/claim', worker, { lease_seconds: 600 });
  }
  await expect(row(mira, second)).toContainText('press robot');

  // The colleague works on theirs and hands it in; the count of reviews moves in the other window by itself.
  const before = await reviews(mira);
  const job = await idOf(mira, first);
  await tom.goto(`/desk/jobs/${job}`);
  await expect(tom.getByRole('button', { name: 'Start work' })).toBeVisible();
  await tom.keyboard.press('s');
  await expect(tom.getByRole('status')).toContainText('In work');
  await chooseFiles(tom, fixture('rise-colour.png'));
  await expect(tom.getByRole('link', { name: 'rise-colour.png' })).toBeVisible();
  await tom.getByLabel('Message to the customer').fill('A first version, printed small.');
  await tom.keyboard.press('Control+Enter');
  await openOnceSent(tom, job);
  await expect(tom.getByRole('status')).toContainText('In review');
  await expect.poll(() => reviews(mira)).toBe(before + 1);
});

const idOf = async (page: Page, title: string) =>
  (await page.getByRole('link', { name: title }).first().getAttribute('href'))?.split('/').at(-1) ?? '';
const reviews = async (page: Page) =>
  Number((await page.getByRole('button', { name: /^In review/ }).innerText()).replace(/\D+/g, ''));

test('take next holds a job under a lease that the page extends; a lost hold is told and the draft stays', async ({
  service,
  customer,
  openAs,
}) => {
  await newJob(service, customer, { customer_title: 'To be taken' });
  const page = await openAs(await newOperator(service));
  await page.goto('/desk');
  await expect(page.getByRole('row').nth(2)).toBeVisible();
  await page.keyboard.press('t');
  await expect(page.getByRole('timer')).toContainText(/^1[45]m \d+s/);
  const extended = page.waitForResponse(/\/heartbeat$/);
  await page.keyboard.press('e');
  expect((await extended).status()).toBe(200);
  await expect(page.getByRole('button', { name: 'Start work' })).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByRole('status')).toContainText('In work');
  await page.getByLabel('Message to the customer').fill('Half of it.');

  const colleague = await newOperator(service);
  const id = page.url().split('/').at(-1);
  await service.call('POST', `/api/operator/v1/jobs/${id}/hold`, colleague.token, {});
  await expect(page.getByText('Your hold has ended')).toBeVisible();
  await expect(
    page.getByRole('button', { name: 'Submit for review' }).or(page.getByRole('button', { name: /Deliver/ })),
  ).toHaveCount(0);
  await page.getByRole('button', { name: 'Take over' }).click();
  await expect(page.getByRole('heading', { name: 'Yours' })).toBeVisible();
  await expect(page.getByLabel('Message to the customer')).toHaveValue('Half of it.');
  await page.reload();
  await expect(page.getByLabel('Message to the customer')).toHaveValue('Half of it.');
});

test('rows stay where they are while somebody points at them', async ({ service, customer, openAs }) => {
  const [one] = await newQueue(service, customer, `Steady ${Date.now()}`);
  const page = await openAs(operatorOf(service));
  await page.goto('/desk?q=Steady');
  const rows = page.getByRole('table').locator('tbody tr:not(.group)');
  await expect(row(page, 'Steady')).toBeVisible();
  const shown = await rows.count();
  await rows.first().hover();
  const colleague = await newOperator(service);
  await service.call('POST', `/api/operator/v1/jobs/${one}/reject`, colleague.token, { code: 'other', message: 'No.' });
  await newQueue(service, customer, `Steady too ${Date.now()}`);
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible();
  await expect(rows).toHaveCount(shown);
  await expect(page.getByText('moved on')).toBeVisible();
  await page.getByRole('button', { name: '1 new' }).click();
  await expect(page.getByText('moved on')).toHaveCount(0);
  await expect(row(page, 'Steady too')).toBeVisible();
});
