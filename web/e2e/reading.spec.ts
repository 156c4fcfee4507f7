import { operatorOf } from './desk.ts';
import { expect, test } from './stage.ts';
import { handOver, move, newJob } from './studio.ts';

/** What somebody hears who cannot see the page: its parts in their order, with their names and states. */
test('print what is read', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await handOver(service, job, [new URL('fixtures/rise-colour.png', import.meta.url)], 'A first direction.');
  const page = await openAs(customer);
  for (const path of ['/jobs', `/jobs/${job}`, '/jobs/new?family=design&type=logo', '/usage', '/plans']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForTimeout(800);
    console.log(path, await page.locator('main').ariaSnapshot());
  }
  const desk = await openAs(operatorOf(service));
  for (const path of ['/desk', `/desk/jobs/${job}`]) {
    await desk.goto(path);
    await expect(desk.getByRole('heading', { level: 1 })).toBeVisible();
    await desk.waitForTimeout(800);
    console.log(path, await desk.locator('main').ariaSnapshot());
  }
});
