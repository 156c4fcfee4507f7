import type { Page } from '@playwright/test';
import { newOperator, newQueue, operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { newJob } from '../studio.ts';

const row = (page: Page, title: string) => page.getByRole('row', { name: new RegExp(title) });

/** Holds what matches until all pages have sent it, then lets all go at once. */
async function together(pages: Page[], path: RegExp): Promise<number[]> {
  const statuses: number[] = [];
  const held: (() => void)[] = [];
  for (const page of pages)
    await page.route(path, async (route) => {
      await new Promise<void>((go) => {
        held.push(go);
        if (held.length === pages.length) held.forEach((one) => one());
      });
      const answer = await route.fetch();
      statuses.push(answer.status());
      await route.fulfill({ response: answer });
    });
  return statuses;
}

test('two operators accept one job at once: one gets it, the other reads who was first @change', async ({
  service,
  customer,
  openAs,
}) => {
  const title = `Wanted ${Date.now()}`;
  await newQueue(service, customer, title);
  const colleague = await newOperator(service, 'Tom Reyes');
  await service.call('PATCH', '/api/auth/profile', service.operatorToken, { name: 'Mira Okafor' });
  const [mira, tom] = [await openAs(operatorOf(service)), await openAs(colleague)];
  for (const page of [mira, tom]) {
    await page.goto(`/desk?q=${encodeURIComponent(title)}`);
    await expect(row(page, title)).toContainText('Queued');
  }
  const statuses = await together([mira, tom], /\/accept$/);
  await Promise.all([mira.keyboard.press('a'), tom.keyboard.press('a')]);
  await expect.poll(() => statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);

  // Both windows agree on the holder, and the one who lost has been told.
  await expect(row(mira, title)).toContainText(/You|Tom Reyes/);
  const [winner, loser, name] = (await row(mira, title).innerText()).includes('You')
    ? [mira, tom, 'Mira Okafor']
    : [tom, mira, 'Tom Reyes'];
  await expect(row(winner, title)).toContainText('You');
  await expect(row(loser, title)).toContainText(name);
  await expect(loser.getByText(`${name} was first: the job is accepted.`)).toBeVisible();
  await expect(winner.getByText('was first')).toHaveCount(0);
});

test('two operators take the next job at once: one gets it, the other waits until there is one', async ({
  service,
  customer,
  openAs,
}) => {
  const research = { service_family: 'research', service_type: 'fact_check', customer_instructions: 'Is it so?' };
  const first = await newJob(service, customer, { ...research, customer_title: 'The only one' });
  // The operator of the tests may hold as many jobs as the limit allows.
  const [mira, tom] = [await openAs(await newOperator(service)), await openAs(await newOperator(service))];
  for (const page of [mira, tom]) {
    await page.goto('/desk?family=research');
    await expect(row(page, 'The only one')).toContainText('free');
  }
  await Promise.all([mira.keyboard.press('t'), tom.keyboard.press('t')]);
  const winner = await Promise.any([mira, tom].map(async (page) => (await page.waitForURL(`**/${first}`), page)));
  const loser = winner === mira ? tom : mira;
  await expect(loser.getByRole('button', { name: 'Stop waiting' })).toBeVisible();
  const second = await newJob(service, customer, { ...research, customer_title: 'Another one' });
  await loser.waitForURL(`**/${second}`);
  await expect(loser.getByRole('timer')).toBeVisible();

  // Who stops waiting keeps nothing.
  await winner.goto('/desk?family=research');
  await expect(winner.getByRole('button', { name: 'Take next' })).toBeVisible();
  await winner.keyboard.press('t');
  await winner.getByRole('button', { name: 'Stop waiting' }).click();
  await expect(winner.getByRole('button', { name: 'Take next' })).toBeVisible();
  await newJob(service, customer, { ...research, customer_title: 'Left alone' });
  await expect(row(winner, 'Left alone')).toContainText('free');
  await expect(winner).toHaveURL(/family=research/);
});

test('a move elsewhere shows at once, and by looking where there is no stream', async ({
  service,
  customer,
  openAs,
}) => {
  const title = `Seen ${Date.now()}`;
  const [id] = await newQueue(service, customer, title);
  const [live, polling] = [await openAs(operatorOf(service)), await openAs(operatorOf(service))];
  await polling.route('**/queue/stream', (route) => route.fulfill({ status: 429, json: { error: {} } }));
  for (const page of [live, polling]) {
    await page.goto(`/desk?q=${encodeURIComponent(title)}`);
    await expect(row(page, title)).toContainText('Queued');
  }
  const began = Date.now();
  await service.call('POST', `/api/operator/v1/jobs/${id}/accept`, service.operatorToken, {});
  // Without the stream it would look after 30 seconds.
  await expect(row(live, title)).toContainText('Accepted', { timeout: 20_000 });
  test.info().annotations.push({ type: 'ms until shown', description: String(Date.now() - began) });
  process.stdout.write(`  a move shows after ${Date.now() - began} ms\n`);
  await expect(row(polling, title)).toContainText('Accepted');
});
