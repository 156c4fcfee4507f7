import type { Page } from '@playwright/test';
import { newOperator, operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import type { Person, Service } from '../start-service.ts';
import { deliver, move, newJob } from '../studio.ts';

const fixture = new URL('../fixtures/rise-colour.png', import.meta.url);

/** A job in work with a file. */
async function preparedJob(service: Service, customer: Person, customer_title: string): Promise<string> {
  const job = await newJob(service, customer, { customer_title });
  await move(service, job, 'accept', 'start');
  await deliver(service, job, fixture);
  return job;
}

const statusOf = async ({ call, operatorToken }: Service, job: string) =>
  (await call('GET', `/api/operator/v1/jobs/${job}`, operatorToken)).job.status;

/** Submits the open job; answers when that was, and when the page sends it to the service from then on. */
async function submit(page: Page): Promise<{ began: number; sent: number[] }> {
  await page.getByLabel('Message to the customer').fill('Two versions.');
  await expect(page.getByText('kept on the server')).toBeVisible();
  const sent: number[] = [];
  page.on('request', (request) => {
    if (/\/(submit|pass)$/.test(request.url())) sent.push(Date.now());
  });
  const began = Date.now();
  await page.getByRole('button', { name: 'Submit for review' }).click();
  return { began, sent };
}

const toast = (page: Page) => page.getByRole('region', { name: 'Going out' });

test('a submission goes out after 8 seconds and not before, while the next job of the tab is shown', async ({
  service,
  customer,
  openAs,
}) => {
  const [first, second] = [`Undo one ${Date.now()}`, `Undo two ${Date.now()}`];
  const job = await preparedJob(service, customer, first);
  await preparedJob(service, customer, second);
  const page = await openAs(operatorOf(service));
  await page.goto('/desk?q=Undo');
  await page.getByRole('link', { name: first }).first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 of 2')).toBeVisible();
  const { began, sent } = await submit(page);
  await expect(page.getByRole('heading', { level: 1, name: second })).toBeFocused();
  await expect(toast(page)).toContainText(`${first} goes to review`);
  // Looking at it stops the time.
  await toast(page).getByText(first).hover();
  const stopped = Date.now();
  await page.waitForTimeout(3_000);
  expect(sent).toEqual([]);
  expect(await statusOf(service, job)).toBe('running');
  const looked = Date.now() - stopped;
  await page.mouse.move(700, 10);
  await expect(page.getByText('Submitted for review.')).toBeVisible();
  expect(sent).toHaveLength(1);
  // However slow the machine is: not before 8 seconds in which nobody looked at it.
  expect((sent[0] ?? 0) - began).toBeGreaterThanOrEqual(8_000 + looked - 100);
  expect(await statusOf(service, job)).toBe('needs_review');
});

test('z takes it back: nothing is sent, and the job is open again with its draft @change', async ({
  service,
  customer,
  openAs,
}) => {
  const title = `Taken back ${Date.now()}`;
  const job = await preparedJob(service, customer, title);
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  const { sent } = await submit(page);
  await expect(toast(page)).toContainText(title);
  await page.keyboard.press('z');
  await expect(toast(page)).not.toContainText(title);
  await expect(page.getByLabel('Message to the customer')).toHaveValue('Two versions.');
  await page.waitForTimeout(9_000);
  expect(sent).toEqual([]);
  expect(await statusOf(service, job)).toBe('running');
});

test('returned work is held back like passed work: the next job opens, z keeps the note, and it is sent once', async ({
  service,
  customer,
  openAs,
}) => {
  const [first, second] = [`Back one ${Date.now()}`, `Back two ${Date.now()}`];
  const jobs = [await preparedJob(service, customer, first), await preparedJob(service, customer, second)];
  for (const job of jobs) await move(service, job, 'submit');
  const page = await openAs(await newOperator(service, 'Rea', 'reviewer'));
  await page.goto('/desk?tab=review&q=Back');
  await page.getByRole('link', { name: first }).first().dblclick();
  await page.getByRole('button', { name: 'Return' }).click();
  const note = page.getByLabel('What should change?');
  await note.fill('A thicker ear.');
  await page.getByRole('button', { name: 'Return it' }).dblclick();
  await expect(page.getByRole('heading', { level: 1, name: second })).toBeVisible();
  await expect(toast(page)).toContainText(`${first} goes back to Operator`);
  await page.keyboard.press('z');
  await expect(page.getByRole('heading', { level: 1, name: first })).toBeVisible();
  expect(await statusOf(service, jobs[0]!)).toBe('needs_review');
  await page.keyboard.press('r');
  await expect(note).toHaveValue('A thicker ear.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name: second })).toBeVisible();
  await expect(page.getByText(`“${first}” was returned to Operator.`)).toBeVisible();
  const { job } = await service.call('GET', `/api/operator/v1/jobs/${jobs[0]}`, service.operatorToken);
  expect(job).toMatchObject({ status: 'running', notes: [{ body: 'A thicker ear.' }] });
});

test('leaving asks; a reload keeps the submission back and asks what to do with it', async ({
  service,
  customer,
  openAs,
}) => {
  const title = `Reloaded ${Date.now()}`;
  const job = await preparedJob(service, customer, title);
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  const { sent } = await submit(page);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  await expect(toast(page)).toContainText('was kept back when the page was loaded again');
  await page.waitForTimeout(9_000);
  expect(sent).toEqual([]);
  await toast(page).getByRole('button', { name: 'Submit it' }).click();
  await expect(page.getByText('Submitted for review.')).toBeVisible();
  expect(await statusOf(service, job)).toBe('needs_review');
});

test('a colleague sees who has the job open, and goes on with the draft after a hand-over', async ({
  service,
  customer,
  openAs,
}) => {
  const job = await preparedJob(service, customer, 'Handed over');
  const colleague = await newOperator(service, 'Ben Achterberg');
  const [mira, ben] = [await openAs(operatorOf(service)), await openAs(colleague)];
  await mira.goto(`/desk/jobs/${job}`);
  await ben.goto(`/desk/jobs/${job}`);
  await expect(mira.getByText('Ben Achterberg is viewing this job')).toBeVisible();
  await mira.getByLabel('Message to the customer').fill('Half a sentence');
  await expect(mira.getByText('kept on the server')).toBeVisible();
  await expect(ben.getByText('Half a sentence')).toBeVisible();
  await ben.getByRole('button', { name: 'Take over' }).click();
  await expect(ben.getByLabel('Message to the customer')).toHaveValue('Half a sentence');
  await ben.getByRole('main').getByRole('link', { name: 'Queue' }).click();
  await expect(mira.getByText('Ben Achterberg is viewing this job')).toHaveCount(0);
});
