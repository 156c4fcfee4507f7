import { operatorOf } from '../desk.ts';
import { deployAnother } from '../new-build.ts';
import { expect, test } from '../stage.ts';
import { move, newJob } from '../studio.ts';

const lost = 'The connection is lost. This page may be out of date; trying again…';

test('open pages say that the service is gone, and show what happened as soon as it is back @change', async ({
  service,
  customer,
  page,
  openAs,
}) => {
  test.slow();
  const job = await newJob(service, customer, { customer_title: 'Before the restart' });
  const desk = await openAs(operatorOf(service));
  await page.goto(`/jobs/${job}`);
  await desk.goto('/desk?q=the restart');
  await expect(page.getByRole('status')).toHaveText('Queued');
  await expect(desk.getByRole('row', { name: /Before the restart/ })).toBeVisible();
  // What the first paint did not need is fetched by then.
  await desk.waitForTimeout(2_500);
  await service.halt();
  await expect(page.getByText(lost)).toBeVisible();
  // To point at a link fetches its page, which is not there.
  await page.getByRole('link', { name: 'Webhooks' }).hover();
  await expect(desk.getByText(lost)).toBeVisible();
  await expect(page.getByText(lost)).toBeVisible();
  await service.resume();
  await move(service, job, 'accept');
  await newJob(service, customer, { customer_title: 'After the restart' });
  await expect(page.getByRole('status')).toHaveText('Accepted');
  await expect(desk.getByRole('row', { name: /After the restart/ })).toBeVisible();
  await expect(page.getByText(lost)).toHaveCount(0);
  await expect(desk.getByText(lost)).toHaveCount(0);
});

test('a restart of a few seconds: what moved before the stream was back is seen', async ({
  service,
  customer,
  page,
}) => {
  const job = await newJob(service, customer);
  await page.goto(`/jobs/${job}`);
  await expect(page.getByRole('status')).toHaveText('Queued');
  // The stream is open by then, and what the first paint did not need is fetched.
  await page.waitForTimeout(2_500);
  let reloaded = false;
  page.on('domcontentloaded', () => (reloaded = true));
  await service.halt();
  // The browser connects again two seconds after it lost the service; held up, that is later than the move.
  await page.route('**/events/stream', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue().catch(() => {});
  });
  await service.resume();
  await move(service, job, 'accept');
  await expect(page.getByRole('status')).toHaveText('Accepted');
  expect(reloaded).toBe(false);
});

test('a desk that is older than the service says so', async ({ service, openAs }) => {
  const page = await openAs(operatorOf(service));
  await page.clock.install();
  const read = page.waitForResponse('**/api/v1/installation');
  await page.goto('/desk/workers');
  await read;
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await deployAnother(page);
  await expect(page.getByText('There is a newer version of this page.')).toBeVisible();
});

test('a page whose file a deployment removed is loaded again, and reports nothing meanwhile', async ({
  service,
  openAs,
}) => {
  const page = await openAs(operatorOf(service));
  let removed = true;
  await page.route('**/assets/figures-*.js', (route) => (removed ? route.fulfill({ status: 404 }) : route.fallback()));
  await page.route('**/desk/figures', async (route) => {
    // The open page goes on asking for its file while the answer is on its way.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    removed = false;
    await route.fallback();
  });
  await page.goto('/desk');
  await page.getByRole('link', { name: 'Figures' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Figures' })).toBeVisible();
});
