import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import { askForChanges, complete, newDelivery } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import { deliver, handOver, move, newJob } from '../studio.ts';

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url);

test('the note of a done comment is changed without opening the comment again', async ({
  customer,
  openAs,
  service,
}) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await handOver(service, job, [fixture('rise-dark.png')]);
  const { job: delivered } = await service.call('GET', `/api/v1/jobs/${job}`, customer.token);
  const file_id = delivered.deliveries[0].file_ids[0];
  const asked = { comments: [{ file_id, text: 'Rounder, please.' }] };
  await service.call('POST', `/api/v1/jobs/${job}/revision`, customer.token, asked);
  await move(service, job, 'start');
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  const note = page.getByLabel('Note to the customer about comment 1');
  await note.fill('Rounder now.');
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(page.getByText('“Rounder now.”')).toBeVisible();
  await page.getByRole('button', { name: 'Change the note about comment 1' }).click();
  await expect(note).toBeFocused();
  await expect(note).toHaveValue('Rounder now.');
  await note.fill('Rounder, and a little larger.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('“Rounder, and a little larger.”')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Comment 1 is done' })).toBeChecked();
});

test('a comment leads to its place in the review, which changes nothing; drafts are compared with deliveries', async ({
  customer,
  openAs,
  service,
}) => {
  const { job, files } = await newDelivery(service, customer, 'rise-colour.png', 'notes.txt');
  const [arc] = await askForChanges(service, customer, job, [
    { file_id: files['rise-colour.png'], text: 'Make the arc warmer', at: 'xywh=percent:20,30,0,0' },
    { file_id: files['notes.txt'], text: 'Which green?', at: 'line=1,2' },
  ]);
  await complete(service, job, arc, 'It is the brown of your bags.');
  await deliver(service, job, new URL('../fixtures/rise-colour.png', import.meta.url));
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);

  // A comment on a line of a text, and back.
  await page.getByRole('button', { name: 'Show comment 2 in its file' }).click();
  const list = page.getByRole('complementary', { name: 'Comments' });
  await expect(page.getByTestId('stage').getByText('Green 1f4a37')).toBeVisible();
  await expect(list.getByRole('button', { name: '2: line 2', pressed: true })).toBeVisible();
  await expect(list.getByText('1 of 2 done').last()).toBeVisible();
  await expect(page.locator('.review').getByRole('textbox')).toHaveCount(0);
  // The selected comment is left first, then the review.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/review=/);

  // The comment before, by keys, then its review.
  await page.keyboard.press('k');
  await page.keyboard.press('v');
  await expect(page.getByTestId('stage').getByRole('button', { name: /^1: a point/, pressed: true })).toBeVisible();
  await expect(list.getByText('It is the brown of your bags.')).toBeVisible();
  await expectNoFinding(page, 'the review of the desk');
  await expectReadableInDark(page, 'the review of the desk');
  await page.goBack();

  // What is prepared stands beside what was delivered.
  await page.getByRole('button', { name: 'Compare with 1' }).click();
  await expect(page.getByRole('img', { name: 'rise-colour.png, Delivery 2' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByRole('button', { name: /^Shown: 1, a point/ })).toBeVisible();
  await expectNoFinding(page, 'the comparison of the desk');
  await page.locator('.review').getByRole('button', { name: 'Review delivery 2' }).click();
  await expect(list.getByText('No comments on this delivery were sent.')).toBeVisible();
});
