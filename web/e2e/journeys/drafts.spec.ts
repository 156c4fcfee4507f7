import { expect, test } from '../stage.ts';

const order = '/jobs/new?family=design&type=logo';

test('a draft that another tab ordered meanwhile says so, and the next press orders what it says now', async ({
  service,
  customer,
  page,
}) => {
  await page.goto(order);
  await page.getByLabel('Title').fill('Logo for a bakery');
  await page.getByLabel(/^Brand name/).fill('Rise Bakery');
  const other = await page.context().newPage();
  await other.goto(order);
  await expect(other.getByLabel('Title')).toHaveValue('Logo for a bakery');
  await page.getByRole('button', { name: 'Order job' }).click();
  await page.waitForURL('**/jobs/job_*');

  await other.getByLabel('Title').fill('Logo for a bakery, and a sign');
  await other.getByRole('button', { name: 'Order job' }).click();
  const told = other.getByRole('alert');
  await expect(told).toContainText('An earlier version of this draft was ordered');
  await expect(told.getByRole('link', { name: 'your jobs' })).toHaveAttribute('href', '/jobs');
  await other.getByRole('button', { name: 'Order job' }).click();
  await expect(other.getByRole('heading', { name: 'Logo for a bakery, and a sign' })).toBeVisible();
  const { jobs } = await service.call('GET', '/api/v1/jobs', customer.token);
  expect(jobs.map((job: { customer_title: string }) => job.customer_title).toSorted()).toEqual([
    'Logo for a bakery',
    'Logo for a bakery, and a sign',
  ]);
});
