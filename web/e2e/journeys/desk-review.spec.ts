import { newOperator, openOnceSent, operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { deliver, move, newJob } from '../studio.ts';

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url);

test('a full round with the customer in a second window: return, pass, changes, pass, approval @change', async ({
  service,
  customer,
  page: theirs,
  openAs,
}) => {
  test.slow();
  const job = await newJob(service, customer);
  await theirs.goto(`/jobs/${job}`);
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  await expect(page.getByText('Families and commuters within two miles of the shop')).toBeVisible();
  // No words of a customer in the history of the browser.
  expect(await page.title()).toMatch(/Job · Atelier$/);

  await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible();
  await page.keyboard.press('a');
  await expect(page.getByRole('button', { name: 'Start work' })).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByRole('button', { name: 'Submit for review' })).toBeDisabled();
  await page.getByLabel('Message to the customer').fill('Three directions, one in two colours.');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await expect(page.getByText('No file is attached')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Submit for review' }).click();
  await openOnceSent(page, job);
  await page.getByRole('button', { name: 'Return' }).click();
  await page.getByLabel('What should change?').fill('The ear is too thin for print.');
  await page.getByRole('button', { name: 'Return it' }).click();
  await openOnceSent(page, job);
  await expect(page.getByRole('list').filter({ hasText: 'The ear is too thin' })).toBeVisible();
  await expect(page.getByRole('status')).toContainText('In work');
  await deliver(service, job, fixture('rise-colour.png'));
  await expect(page.getByRole('link', { name: 'rise-colour.png' })).toBeVisible();
  await page.getByLabel('Message to the customer').fill('Now with a thicker ear.');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await openOnceSent(page, job);
  await expect(page.getByRole('status')).toContainText('In review');
  await expect(page.getByRole('button', { name: 'Pass', exact: true })).toBeVisible();
  await page.keyboard.press('p');
  await openOnceSent(page, job);
  await expect(page.getByRole('status')).toContainText('With customer');

  // The customer's window shows it by itself, without the note.
  await expect(theirs.getByText('Now with a thicker ear.')).toBeVisible();
  await expect(theirs.locator('body')).not.toContainText('too thin for print');
  await theirs.keyboard.press('r');
  await theirs.getByLabel('What should change?').fill('A warmer brown, please.');
  await theirs.getByRole('button', { name: 'Send the changes' }).click();

  await expect(page.getByText('Asks for changes, round 1 of 3')).toBeVisible();
  await expect(page.getByRole('term').filter({ hasText: 'Next delivery' })).toBeVisible();
  await expect(page.getByText('“A warmer brown, please.”')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start work' })).toBeVisible();
  await page.keyboard.press('s');
  await page.getByLabel('Message to the customer').fill('The brown of your bags.');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Submit for review' }).click();
  await openOnceSent(page, job);
  await page.getByRole('button', { name: 'Pass', exact: true }).click();
  await openOnceSent(page, job);
  await expect(theirs.getByText('The brown of your bags.')).toBeVisible();
  await theirs.getByRole('button', { name: 'Approve', exact: true }).click();
  await theirs.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('status')).toContainText('Completed');
});

test('a rejection shows what the customer will read, and they read just that', async ({
  service,
  customer,
  page: theirs,
  openAs,
}) => {
  const job = await newJob(service, customer);
  await theirs.goto(`/jobs/${job}`);
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Reject the job' })).toBeDisabled();
  await page.getByLabel('Message to the customer').fill('We do not draw wheat.');
  const words = 'The studio rejected this job. Out of scope. We do not draw wheat.';
  await expect(page.getByLabel('What the customer will read')).toContainText(words);
  await page.getByRole('button', { name: 'Reject the job' }).click();
  await expect(page.getByRole('status')).toContainText('Rejected');
  await expect(theirs.getByText(words)).toBeVisible();
});

test('a job is handed over, and only its new holder may go on', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await newOperator(service);
  const colleague = await newOperator(service);
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  await expect(page.getByRole('heading', { name: 'Yours' })).toBeVisible();
  await page.keyboard.press('h');
  await page.getByRole('option').last().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click();
  await expect(page.getByRole('heading', { name: /^Held by/ })).toBeVisible();
  await expect(page.getByText('prepares it. Take the job over to go on with it.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit for review' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Take over' })).toBeVisible();

  await page.getByLabel('Add a note').fill('The customer prints on kraft paper.');
  await page.getByRole('button', { name: 'Add the note' }).click();
  const theirs = await openAs(colleague);
  await theirs.goto(`/desk/jobs/${job}`);
  await expect(theirs.getByText('The customer prints on kraft paper.')).toBeVisible();
});
