import { newOperator } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { move, newJob } from '../studio.ts';

test('a maker notes time, corrects it and withdraws it', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer, { customer_title: 'Timed' });
  const page = await openAs(await newOperator(service, 'Kim Lee', 'maker'));
  await page.goto(`/desk/jobs/${job}`);
  await page.getByRole('button', { name: 'Note time' }).click();
  await page.getByLabel('Minutes').fill('90');
  await page.getByLabel('What was done').fill('Second sketch');
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Time noted: 1h 30m' })).toBeVisible();
  await page.getByRole('button', { name: 'Correct 1h 30m' }).click();
  await page.getByLabel('Minutes').fill('45');
  await page.getByRole('button', { name: 'Correct', exact: true }).last().click();
  await page.getByRole('button', { name: 'Withdraw 45m' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByRole('heading', { name: 'Time', exact: true })).toBeVisible();
});

test('a job is set aside with a reason, stands in a group of its own, and is taken up again', async ({
  service,
  customer,
  openAs,
}) => {
  const title = `Rests ${Date.now()}`;
  const job = await newJob(service, customer, { customer_title: title });
  await move(service, job, 'accept');
  const page = await openAs(await newOperator(service, 'Kim Lee', 'lead'));
  await page.goto(`/desk/jobs/${job}`);
  await expect(page.getByRole('button', { name: 'Set aside' })).toBeVisible();
  await page.keyboard.press('i');
  await page.getByRole('button', { name: 'Next Monday' }).click();
  await page.getByLabel('Why').fill('The printer has no paper.');
  await page.getByRole('button', { name: 'Set it aside' }).click();
  await expect(page.getByText(/by Kim Lee: “The printer has no paper\.”/)).toBeVisible();
  await page.goto(`/desk?q=${title.slice(6)}`);
  await expect(page.getByText(/^until .*: The printer has no paper\.$/)).toBeVisible();
  await expect(page.getByText('Set aside 1', { exact: true })).toBeVisible();
  await page.goto(`/desk/jobs/${job}`);
  await page.getByRole('button', { name: 'Take it up now' }).click();
  await expect(page.getByRole('button', { name: 'Take it up now' })).toBeHidden();
});
