import type { Page, Route } from '@playwright/test';
import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { newOperator, newQueue, operatorOf } from '../desk.ts';
import type { Person, Service } from '../start-service.ts';
import { expect, test } from '../stage.ts';
import { move } from '../studio.ts';

const row = (page: Page, title: string) => page.getByRole('row', { name: new RegExp(title) });
const box = (page: Page, title: string) => page.getByRole('checkbox', { name: new RegExp(title) });
const bar = (page: Page) => page.getByRole('region', { name: 'Selected jobs' });
const action = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });

/** A queue of its own, which a search finds. */
async function openQueue(service: Service, customer: Person, page: Page, names: string[]) {
  const word = `Bulk${crypto.randomUUID().slice(0, 8)}`;
  const ids = await newQueue(service, customer, ...names.map((name) => `${word} ${name}`));
  await page.goto(`/desk?q=${word}`);
  await expect(page.getByRole('checkbox')).toHaveCount(names.length);
  return ids;
}

const statusOf = async ({ call, operatorToken }: Service, id: string) =>
  (await call('GET', `/api/operator/v1/jobs/${id}`, operatorToken)).job;

test('x selects a row, Shift+x a range, Esc clears; the keys stand in their line and in the list of keys', async ({
  service,
  customer,
  openAs,
}) => {
  const page = await openAs(operatorOf(service));
  const { keyboard } = page;
  await openQueue(service, customer, page, ['one', 'two', 'three', 'four']);
  await keyboard.press('j');
  await keyboard.press('x');
  await expect(box(page, 'one')).toBeChecked();
  await expect(bar(page).getByRole('status')).toHaveText('1 selected');
  await keyboard.press('j');
  await keyboard.press('j');
  await keyboard.press('X');
  for (const name of ['one', 'two', 'three']) await expect(box(page, name)).toBeChecked();
  await expect(box(page, 'four')).not.toBeChecked();
  await keyboard.press('x');
  await expect(bar(page).getByRole('status')).toHaveText('2 selected');
  const foot = page.getByRole('group', { name: 'Keys' });
  for (const hint of ['Select', 'To here', 'Clear']) await expect(foot).toContainText(hint);
  await keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  for (const label of ['Select the row, or not', 'Select all rows from the last one', 'Clear the selection'])
    await expect(keys).toContainText(label);
  await keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  await expect(bar(page)).toBeVisible();
  await keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
});

test('boxes appear on hover; shift and a click select a range; the moves say how many jobs allow them', async ({
  service,
  customer,
  openAs,
}) => {
  const page = await openAs(operatorOf(service));
  const [first = '', second = ''] = await openQueue(service, customer, page, ['one', 'two', 'three']);
  await move(service, first, 'accept');
  await expect(row(page, 'one')).toContainText('Accepted');
  await row(page, 'one').hover();
  await expect(box(page, 'one')).toHaveCSS('opacity', '1');
  await expect(box(page, 'three')).toHaveCSS('opacity', '0');
  await box(page, 'one').check();
  await expect(box(page, 'three')).toHaveCSS('opacity', '1');
  await expect(action(page, 'Put back')).toBeVisible();
  await row(page, 'three')
    .getByRole('link')
    .click({ modifiers: ['Shift'] });
  await expect(bar(page).getByRole('status')).toHaveText('3 selected');
  for (const name of ['Accept 2 of 3', 'Hand over 1 of 3', 'Put back 1 of 3', 'Reject'])
    await expect(action(page, name)).toBeVisible();
  await expectNoFinding(page, 'the queue with a selection');
  await expectReadableInDark(page, 'the queue with a selection');
  // With a box in focus, keys are keys.
  await box(page, 'one').focus();
  await page.keyboard.press('a');
  await expect(page.getByText('2 jobs accepted.')).toBeVisible();
  expect((await statusOf(service, second)).status).toBe('accepted');
  await expect(bar(page).getByRole('status')).toHaveText('1 selected');
});

test('a rejection of several asks for one reason, names the jobs, and each customer reads it', async ({
  service,
  customer,
  openAs,
}) => {
  const page = await openAs(operatorOf(service));
  const ids = await openQueue(service, customer, page, ['one', 'two']);
  await box(page, 'one').check();
  await box(page, 'two').check();
  await page.keyboard.press('R');
  const dialog = page.getByRole('dialog', { name: 'Reject 2 jobs' });
  await expect(dialog.getByText(/Bulk\w+ two/)).toBeVisible();
  await expectNoFinding(page, 'the dialog of a rejection of several');
  await dialog.getByLabel('Message to the customer').fill('We are on holiday.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('2 jobs rejected.')).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  for (const id of ids)
    expect((await service.call('GET', `/api/v1/jobs/${id}`, customer.token)).job.reason.message).toBe(
      'We are on holiday.',
    );
});

test('several jobs are handed over to a colleague, and put back after a question', async ({
  service,
  customer,
  openAs,
}) => {
  await newOperator(service);
  const colleague = await newOperator(service, `Ben ${Date.now()}`);
  const page = await openAs(operatorOf(service));
  const [first = '', second = ''] = await openQueue(service, customer, page, ['one', 'two']);
  for (const id of [first, second]) await move(service, id, 'accept');
  await expect(row(page, 'two')).toContainText('Accepted');
  await box(page, 'one').check();
  await page.keyboard.press('h');
  const dialog = page.getByRole('dialog');
  await page.getByRole('option', { name: new RegExp(colleague.name) }).click();
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await expect(page.getByText(`1 job handed over to ${colleague.name}.`)).toBeVisible();
  expect((await statusOf(service, first)).holder.name).toBe(colleague.name);

  await box(page, 'one').check();
  await box(page, 'two').check();
  await action(page, 'Put back').click(); // an owner puts back what a colleague holds, too
  await dialog.getByRole('button', { name: 'Put back' }).click();
  await expect(page.getByText('2 jobs put back into the queue.')).toBeVisible();
  for (const id of [first, second]) expect((await statusOf(service, id)).status).toBe('queued');
});

test('several due dates move by days with one reason, which each customer reads; a job that ended meanwhile says why not @change', async ({
  service,
  customer,
  openAs,
}) => {
  const page = await openAs(operatorOf(service));
  const [first = '', second = ''] = await openQueue(service, customer, page, ['one', 'two', 'three']);
  const before = Date.parse((await statusOf(service, first)).due_at);
  for (const name of ['one', 'two', 'three']) await box(page, name).check();
  await page.keyboard.press('l');
  const dialog = page.getByRole('dialog', { name: 'Move the due date of 3 jobs' });
  await dialog.getByRole('button', { name: '+2 days' }).click();
  await dialog.getByLabel('Reason').fill('The printer is being repaired.');
  await expectNoFinding(page, 'the dialog that moves several due dates');
  await page.route(`**/jobs/${second}/reschedule`, async (route: Route) => {
    await service.call('POST', `/api/v1/jobs/${second}/cancel`, customer.token);
    await route.continue();
  });
  await page.keyboard.press('Control+Enter');
  await expect(bar(page).getByRole('alert')).toContainText('1 job not moved by 2 days');
  await expect(bar(page).getByRole('alert')).toContainText('2 jobs moved by 2 days');
  await expect(bar(page).getByRole('listitem')).toHaveText(/Bulk\w+ two.*canceled/);
  const { job } = await service.call('GET', `/api/v1/jobs/${first}`, customer.token);
  expect(Math.round((Date.parse(job.due_at) - before) / 3_600_000)).toBe(48);
  expect(job.due_date_changes.map(({ reason }: { reason: string }) => reason)).toEqual([
    'The printer is being repaired.',
  ]);
});

test('what failed is told by title with its reason, until Esc or the next selection', async ({
  service,
  customer,
  openAs,
}) => {
  const page = await openAs(operatorOf(service));
  const [first = '', second = '', third = ''] = await openQueue(service, customer, page, ['one', 'two', 'three']);
  await box(page, 'one').check();
  await box(page, 'two').check();
  // Somebody is faster, and the page does not know it yet.
  for (const id of [first, third])
    await page.route(`**/jobs/${id}/accept`, async (route: Route) => {
      await service.call('POST', `/api/v1/jobs/${id}/cancel`, customer.token);
      await route.continue();
    });
  await page.keyboard.press('a');
  await expect(bar(page).getByRole('alert')).toContainText('1 job not accepted');
  await expect(bar(page).getByRole('alert')).toContainText('1 job accepted');
  const failure = bar(page).getByRole('listitem');
  await expect(failure).toHaveText(/Bulk\w+ one.*Somebody was first: the job is canceled by the customer\./);
  await expectNoFinding(page, 'the queue after a failure');
  await expectReadableInDark(page, 'the queue after a failure');
  expect((await statusOf(service, second)).status).toBe('accepted');
  await expect(bar(page).getByRole('button', { name: 'Try again' })).toHaveCount(0);

  await box(page, 'three').check();
  await expect(bar(page).getByRole('status')).toHaveText('1 selected');
  await page.keyboard.press('l');
  await expect(page.getByRole('dialog', { name: 'Move the due date of 1 job' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('a');
  await expect(bar(page).getByRole('alert')).toContainText('1 job not accepted');
  await page.keyboard.press('Escape');
  await expect(bar(page).getByRole('alert')).toHaveCount(0);
});

test('a connection that is lost half-way: what was sent and what was not is told, and trying again moves each job once', async ({
  service,
  customer,
  openAs,
}) => {
  const page = await openAs(operatorOf(service));
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  const ids = await openQueue(service, customer, page, names);
  await box(page, 'one').check();
  await row(page, 'six')
    .getByRole('link')
    .click({ modifiers: ['Shift'] });
  await expect(bar(page).getByRole('status')).toHaveText('6 selected');
  // The first request arrives and its answer is lost, as are all that come after it.
  let sent = 0;
  await page.route('**/accept', async (route: Route) => {
    if (sent++ === 0) await route.fetch();
    await route.abort('connectionrefused');
  });
  await page.keyboard.press('a');
  await expect(bar(page).getByRole('alert')).toContainText('6 jobs not accepted');
  const failures = bar(page).getByRole('listitem');
  await expect(failures).toHaveCount(6);
  await expect(failures.filter({ hasText: 'it may have been done' }).first()).toBeVisible();
  await expect(failures.filter({ hasText: 'Not sent.' })).toHaveCount(3);
  await page.unroute('**/accept');
  await bar(page).getByRole('button', { name: 'Try all 6 again' }).click();
  await expect(page.getByText('6 jobs accepted.')).toBeVisible();
  for (const id of ids) {
    const { job, events } = await service.call('GET', `/api/operator/v1/jobs/${id}`, service.operatorToken);
    expect(job.status).toBe('accepted');
    expect(events.filter(({ type }: { type: string }) => type === 'job.accepted')).toHaveLength(1);
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('boxes are always there, and the bar is at the bottom', async ({ service, customer, openAs }) => {
    const page = await openAs(operatorOf(service));
    await openQueue(service, customer, page, ['one', 'two']);
    for (const name of ['one', 'two']) await expect(box(page, name)).toHaveCSS('opacity', '1');
    await box(page, 'one').check();
    await box(page, 'two').check();
    await expect(action(page, 'Accept')).toBeInViewport();
    await expectNoFinding(page, 'the queue of a phone with a selection');
    await action(page, 'Accept').click();
    await expect(page.getByText('2 jobs accepted.')).toBeVisible();
  });
});
