import { expectNoFinding } from '../accessible.ts';
import { newOperator } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { handOver, move, newJob } from '../studio.ts';

test('an owner gives a job back, and the open usage page shows it with its reason', async ({
  customer,
  openAs,
  page,
  service,
}) => {
  const job = await newJob(service, customer, { customer_title: 'Late logo' });
  await move(service, job, 'accept', 'start');
  await handOver(service, job, []);
  await service.call('POST', `/api/v1/jobs/${job}/approve`, customer.token);
  const stream = page.waitForResponse((response) => response.url().includes('/events/stream'));
  await page.goto('/usage');
  await stream;
  await expect(page.getByText('1 of 500 jobs')).toBeVisible();

  const desk = await openAs(await newOperator(service));
  const address = `/desk/accounts?q=${encodeURIComponent(customer.email)}`;
  await desk.goto(address);
  await desk.getByRole('link', { name: customer.name }).first().click();
  await desk.getByRole('button', { name: 'Adjust quota of Studio' }).click();
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByText('At most 1: what ended jobs of this period used.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('The logo was <b>late</b>.');
  await dialog.getByLabel('Jobs').fill('2');
  await expect(dialog.getByText('At most 1 now.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Give back' })).toBeDisabled();
  await dialog.getByLabel('Jobs').fill('1');
  await expectNoFinding(desk, 'the dialog');
  await dialog.getByLabel('Jobs').press('Control+Enter');
  await expect(desk.getByText('1 job given back')).toBeVisible();
  await expect(desk.getByText('0 of 500 jobs')).toBeVisible();
  await expect(dialog).toHaveCount(0);

  await expect(page.getByText('0 of 500 jobs'), 'the open page hears of it').toBeVisible();
  await expect(page.getByRole('row', { name: /1 job given back/ })).toContainText('The logo was <b>late</b>.');
  await expectNoFinding(page, 'usage');

  const lead = await openAs(await newOperator(service, 'Lead', 'lead'));
  await lead.goto(address);
  await lead.getByRole('link', { name: customer.name }).first().click();
  await expect(lead.getByText('The logo was <b>late</b>.')).toBeVisible();
  await expect(lead.getByRole('button', { name: /^Adjust quota/ })).toHaveCount(0);
});
