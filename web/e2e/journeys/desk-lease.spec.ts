import { newOperator } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { newJob } from '../studio.ts';

test('a lease that is not extended warns, ends, frees the job, and can be taken again with the draft', async ({
  service,
  customer,
  openAs,
}) => {
  test.slow();
  const data = { service_family: 'data', service_type: 'dashboard', customer_instructions: 'Data source: a sheet.' };
  const id = await newJob(service, customer, { ...data, customer_title: 'Soon lost' });
  const operator = await newOperator(service); // who holds nothing from other tests
  const claimed = await service.call('POST', '/api/operator/v1/jobs/claim', operator.token, {
    service_families: ['data'],
    lease_seconds: 40,
  });
  expect(claimed.job.id).toBe(id);
  const page = await openAs(operator);
  // The connection of this window breaks for extensions only.
  await page.route('**/heartbeat', (route) => route.fulfill({ status: 503, json: {} }));
  await page.addInitScript(
    ([job, token]) => localStorage.setItem(`atelier-lease-${job}`, JSON.stringify({ token, seconds: 40 })),
    [id, claimed.lease.token],
  );
  await page.goto(`/desk/jobs/${id}`);
  await expect(page.getByRole('timer')).toBeVisible();
  await page.getByLabel('Message to the customer').fill('Nearly done.');
  await expect(page.getByText('You are about to lose this job.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Your hold has ended')).toBeVisible({ timeout: 60_000 });
  // The service puts it back by itself, and another window sees it free.
  const colleague = await openAs(await newOperator(service));
  await colleague.goto('/desk?q=Soon lost');
  await expect(colleague.getByRole('row', { name: /Soon lost/ })).toContainText('free', { timeout: 90_000 });
  await expect(page.getByRole('status')).toContainText('Queued');
  await page.unroute('**/heartbeat');
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('status')).toContainText('Accepted');
  await expect(page.getByLabel('Message to the customer')).toHaveValue('Nearly done.');
});
