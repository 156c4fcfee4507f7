import { newOperator, operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { handOver, move, newJob } from '../studio.ts';

test('reports compare services, customers and operators over a range, and the address keeps what was chosen', async ({
  service,
  customer,
  openAs,
}) => {
  const done = await newJob(service, customer);
  await move(service, done, 'accept', 'start');
  await handOver(service, done, [], 'Here it is.');
  await service.call('POST', `/api/v1/jobs/${done}/approve`, customer.token, {});
  const rejected = await newJob(service, customer);
  await move(service, rejected, 'reject');
  const maker = await newOperator(service, 'Mona Maker', 'maker');

  const page = await openAs(maker);
  await page.goto('/desk/figures');
  await page.getByRole('link', { name: 'Reports' }).click();
  const report = (per: string) => page.getByRole('table', { name: `Report per ${per}` });
  await expect(report('option').getByRole('row', { name: /^Logo/ })).toContainText('under a minute');
  await expect(page.getByText(/\d out of scope/)).toBeVisible();

  await page.getByRole('radiogroup', { name: 'Compare' }).getByText('Customers').click();
  await page.getByRole('radiogroup', { name: 'Range' }).getByText('7 days').click();
  await expect(page).toHaveURL(/\/desk\/reports\?per=customer&range=week$/);
  await page.reload();
  const row = report('customer').getByRole('row').filter({ hasText: customer.name }).first();
  await expect(row).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Compare' }).getByText('Operators').click();
  // Another test may have renamed the operator. The first row is the head.
  const operator = report('operator').getByRole('row').nth(1);
  await expect(operator).toContainText('%');
  await expect(report('operator').getByRole('row', { name: /^Mona/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Days' }).click();
  await page.getByLabel('Ended from').fill('2020-01-01');
  await page.getByLabel('Ended until').fill('2020-01-02');
  await expect(page.getByText('No job of an operator ended in these days.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show a year' }).click();
  await expect(operator).toBeVisible();
});

test('a customer of the report opens by keyboard', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  await service.call('POST', `/api/v1/jobs/${job}/cancel`, customer.token, {});
  const page = await openAs(operatorOf(service));
  await page.goto('/desk/reports?per=customer');
  await expect(page.getByRole('table', { name: 'Report per customer' })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/desk\/accounts\/acct_/);
});
