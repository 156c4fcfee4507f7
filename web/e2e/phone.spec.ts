import { operatorOf } from './desk.ts';
import { expect, test } from './stage.ts';
import { deliver, move, newCustomer, newJob } from './studio.ts';

test.use({ viewport: { width: 390, height: 844 }, isMobile: true });

test('the next move of a job stays at the bottom of the window', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const file = await deliver(service, job, new URL('fixtures/notes.txt', import.meta.url));
  await move(service, job, { submit: { file_ids: [file], message: 'For a look.' } });
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  const pass = page.getByRole('button', { name: 'Pass', exact: true });
  await expect(pass).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Reject' }).scrollIntoViewIfNeeded();
  await expect(pass).toBeInViewport({ ratio: 1 });
});

test('ordering again takes no line of its own', async ({ service, customer, page }) => {
  const job = await newJob(service, customer);
  await page.goto(`/jobs/${job}`);
  const again = await page.getByRole('link', { name: 'Order again' }).boundingBox();
  const status = await page.getByRole('main').getByRole('status').boundingBox();
  const middle = status!.y + status!.height / 2;
  expect(again!.y).toBeLessThan(middle);
  expect(again!.y + again!.height).toBeGreaterThan(middle);
});

test('no line of a command lies under its button', async ({ service, openAs }) => {
  const page = await openAs(await newCustomer(service));
  await page.goto('/jobs');
  const button = await page.getByRole('button', { name: 'Copy' }).boundingBox();
  const lines = await page.locator('.code pre').evaluate((pre) => {
    const range = document.createRange();
    range.selectNodeContents(pre);
    return [...range.getClientRects()].map(({ right, top, bottom }) => ({ right, top, bottom }));
  });
  expect(lines.length).toBeGreaterThan(1);
  const under = lines.filter(
    ({ right, top, bottom }) => right > button!.x && top < button!.y + button!.height && bottom > button!.y,
  );
  expect(under).toEqual([]);
});

test('the chosen part of the queue is in sight', async ({ service, openAs }) => {
  const page = await openAs(operatorOf(service));
  await page.goto('/desk?tab=overdue');
  await expect(page.getByRole('button', { name: 'Overdue' })).toBeInViewport({ ratio: 0.9 });
});
