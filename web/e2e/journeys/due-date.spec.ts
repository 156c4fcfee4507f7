import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { move, newJob } from '../studio.ts';

test('a due date that the desk moves stands on the page of the customer, with the reason as text', async ({
  service,
  customer,
  openAs,
}) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const theirs = await openAs(customer);
  await theirs.goto(`/jobs/${job}`);
  await expect(theirs.getByText('First delivery by')).toBeVisible();
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  await expect(page.getByRole('button', { name: 'Move the due date' })).toBeVisible();
  await page.keyboard.press('l');
  const dialog = page.getByRole('dialog', { name: 'Move the due date' });
  await expect(dialog.getByText('The customer reads it.')).toBeVisible();
  await expectNoFinding(page, 'the dialog that moves a due date');
  await expectReadableInDark(page, 'the dialog that moves a due date');
  await expect(dialog.getByRole('button', { name: 'Move it' })).toBeDisabled();
  await dialog.getByRole('button', { name: '+2 days' }).click();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('<b>The printer</b> needs two days more.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Moved. The customer reads the reason.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Story' })).toContainText('<b>The printer</b> needs two days more.');
  await expect(theirs.getByText('moved the due date to')).toBeVisible();
  await expect(theirs.getByText('“<b>The printer</b> needs two days more.”')).toBeVisible();
});

test('while a question is open, the desk changes the hours that are left', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const question = { text: 'Which green?', question: true };
  await service.call('POST', `/api/operator/v1/jobs/${job}/messages`, operatorOf(service).token, question);
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  await page.getByRole('button', { name: 'Move the due date' }).click();
  await page.getByLabel('Hours left after the answer').fill('30');
  await page.getByRole('textbox', { name: 'Reason' }).fill('We wait for the paper.');
  await page.getByRole('button', { name: 'Move it' }).click();
  await expect(page.getByText('Moved. The customer reads the reason.')).toBeVisible();
  const { job: after } = await service.call('GET', `/api/v1/jobs/${job}`, customer.token);
  expect(after).toMatchObject({ due_at: null, remaining_seconds: 30 * 3_600 });
});
