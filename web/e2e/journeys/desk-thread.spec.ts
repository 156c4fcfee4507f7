import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { move, newJob } from '../studio.ts';

test('a message, a note and a question at the desk: each reaches whom it is for, and the answer starts the clock', async ({
  service,
  customer,
  openAs,
}) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const page = await openAs(operatorOf(service));
  const { keyboard } = page;
  await page.goto(`/desk/jobs/${job}`);
  const story = page.getByRole('region', { name: 'Story' });
  await expect(story).toBeVisible();
  await keyboard.press('m');
  await expect(story.getByText('reads this, signed as the studio')).toBeVisible();
  await keyboard.type('The first sketches are on the wall.');
  await keyboard.press('Control+Enter');
  await expect(story.getByRole('listitem').filter({ hasText: 'sketches' })).toBeVisible();
  // Sending neither asks nor submits.
  await expect(page.getByRole('status').filter({ hasText: 'In work' })).not.toContainText('Waits');

  await keyboard.press('Escape');
  await keyboard.press('n');
  await keyboard.type('They argue about the ear.');
  await keyboard.press('Control+Enter');
  await expect(story.getByRole('listitem').filter({ hasText: 'argue' })).toContainText('internal note');
  await keyboard.press('Escape');

  await keyboard.press('m');
  await keyboard.type('Which green do you prefer?');
  await page.getByRole('button', { name: 'Ask and stop the clock' }).click();
  await expect(page.getByText('Waits for the customer')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Withdraw the question' })).toBeVisible();
  await expectNoFinding(page, 'the desk page of a job that waits');
  await expectReadableInDark(page, 'the desk page of a job that waits');

  const { messages } = await service.call('GET', `/api/v1/jobs/${job}/messages`, customer.token);
  expect(JSON.stringify(messages)).toContain('Which green');
  expect(JSON.stringify(messages)).not.toContain('argue');
  await service.call('POST', `/api/v1/jobs/${job}/messages`, customer.token, { text: 'The darker one.' });
  await expect(story.getByText('The darker one.')).toBeVisible();
  await expect(page.getByText('Waits for the customer')).toHaveCount(0);
});
