import type { Page } from '@playwright/test';
import { expectNoFinding } from '../accessible.ts';
import { openInHost } from '../mcp-host.ts';
import { newDelivery } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import type { Person, Service } from '../start-service.ts';
import { handOver, logo, move, newJob, newPerson } from '../studio.ts';

/** A delivery whose pictures are drawn. */
async function newPictures(service: Service, customer: Person, ...names: string[]) {
  const delivery = await newDelivery(service, customer, ...names);
  const read = async () => (await service.call('GET', `/api/v1/jobs/${delivery.job}`, customer.token)).job;
  const posters = async () => (await read()).files.map(({ poster_status }: { poster_status: string }) => poster_status);
  await expect.poll(posters, { timeout: 90_000 }).toEqual(names.map(() => 'made'));
  return { ...delivery, read, call: { name: 'get_job', args: { job_id: delivery.job } } };
}

/** The host has no heading of its own, so axe finds a fault if it was too slow to look into the frame. */
const expectNoFindingInView = (page: Page, what: string) => expect(() => expectNoFinding(page, what)).toPass();

test('a delivery is approved in the host of an agent, and the model is told @change', async ({
  customer,
  openAs,
  service,
}) => {
  const { job, call, read } = await newPictures(service, customer, 'rise-colour.png');
  const page = await openAs(null);
  const host = await openInHost(page, service, customer.token, call);
  const { view } = host;
  const picture = view.getByRole('img', { name: 'rise-colour.png' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  await expect(view.getByText('Here it is.')).toBeVisible();
  await expect(view.getByText('3 of 3')).toBeVisible();
  await expectNoFindingInView(page, 'review');

  await view.getByRole('button', { name: 'Approve' }).click();
  await view.getByRole('button', { name: 'Back' }).click();
  expect(host.calls, 'nothing is called before it is confirmed').toEqual([]);
  await view.getByRole('button', { name: 'Approve' }).click();
  await view.getByRole('button', { name: 'Approve and end the job' }).click();
  await expect(view.getByText('the job is completed')).toBeVisible();
  expect(host.calls).toEqual([{ name: 'approve_job', args: { job_id: job, round: 0 } }]);
  await expect.poll(() => host.told.join()).toContain(`approved delivery 0 of ${job}`);
  expect((await read()).status).toBe('completed');
  await host.close();
});

test('a delivery is approved with the keyboard alone, and the focus is never lost', async ({
  customer,
  openAs,
  service,
}) => {
  const { call, read } = await newPictures(service, customer, 'rise-colour.png');
  const page = await openAs(null);
  const { view, close } = await openInHost(page, service, customer.token, call);
  const approve = view.getByRole('button', { name: 'Approve' });
  await approve.press('Enter');
  await expect(view.getByRole('heading', { name: 'Approve this delivery?' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(approve, 'Back returns to it').toBeFocused();

  await view.getByRole('button', { name: 'Request changes' }).press('Enter');
  await expect(view.getByRole('textbox', { name: 'What to change' })).toBeFocused();
  await view.getByRole('button', { name: 'Note on all of rise-colour.png' }).press('Enter');
  await view.getByRole('button', { name: 'Remove place 1' }).press('Enter');
  await expect(view.getByRole('heading', { name: 'Request changes' })).toBeFocused();
  await view.getByRole('button', { name: 'Send the request' }).press('Enter');
  await expect(view.getByRole('alert')).toBeVisible();
  await expect(view.getByRole('button', { name: 'Send the request' })).toBeFocused();
  await view.getByRole('button', { name: 'Back' }).press('Enter');

  await approve.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(view.getByText('the job is completed')).toBeVisible();
  await expect(view.getByRole('heading', { level: 1 })).toBeFocused();
  expect((await read()).status).toBe('completed');
  await close();
});

test('changes are requested with places in pictures', async ({ customer, openAs, service }) => {
  const { job, files, call, comments } = await newPictures(service, customer, 'rise-colour.png', 'rise-mono.pdf');
  const page = await openAs(null);
  const host = await openInHost(page, service, customer.token, call, { theme: 'dark' });
  const { view } = host;
  await view.getByRole('button', { name: 'Request changes' }).click();
  const send = view.getByRole('button', { name: 'Send the request' });
  await send.click();
  await expect(view.getByRole('alert')).toContainText('Write what to change');

  const layer = view.locator('.file', { hasText: 'rise-colour.png' }).locator('.pin-layer');
  const { width, height } = (await layer.boundingBox())!;
  await layer.click({ position: { x: width / 4, y: height / 2 } });
  await expect(view.getByRole('textbox', { name: 'What to change at place 1' })).toBeFocused();
  await page.keyboard.type('<b>Rounder</b>, please.');
  await view.getByRole('button', { name: 'Mark a place in rise-mono.pdf' }).press('Enter');
  await page.keyboard.type('Thinner.');
  await view.getByRole('button', { name: /^2: a point/ }).press('ArrowRight');
  await layer.dragTo(layer, {
    sourcePosition: { x: width / 2, y: height / 2 },
    targetPosition: { x: (width * 3) / 4, y: (height * 3) / 4 },
  });
  await page.keyboard.type('Softer here.');
  await view.getByRole('button', { name: 'Note on all of rise-mono.pdf' }).click();
  await view.getByRole('button', { name: 'Remove place 4' }).click();
  await view.getByRole('textbox', { name: 'Anything else' }).fill('Warmer on the whole.');
  await expectNoFindingInView(page, 'request');
  await send.click();
  await expect(view.getByText('The studio has your request for changes.')).toBeVisible();

  const [first, second, third, ...more] = await comments();
  expect(first).toMatchObject({ text: '<b>Rounder</b>, please.', file_id: files['rise-colour.png'] });
  expect(first?.at).toMatch(/^xywh=percent:2[45](\.\d+)?,(49|50)(\.\d+)?,0,0$/);
  expect(second).toMatchObject({
    text: 'Thinner.',
    file_id: files['rise-mono.pdf'],
    at: 'page=1&xywh=percent:51,50,0,0',
  });
  expect(third?.at).toMatch(/^xywh=percent:(49|50)(\.\d+)?,(49|50)(\.\d+)?,2[45](\.\d+)?,2[45](\.\d+)?$/);
  expect(more).toEqual([]);
  expect(host.calls.map(({ name }) => name)).toEqual(['request_revision']);
  await expect.poll(() => host.told.join()).toContain(`requested changes of ${job}`);
  await host.close();
});

test('what was decided elsewhere is said, and a host without calls shows the delivery', async ({
  customer,
  openAs,
  service,
}) => {
  const { job, call } = await newPictures(service, customer, 'rise-colour.png');
  const mute = await openInHost(await openAs(null), service, customer.token, call, { isMute: true });
  await expect(mute.view.getByText('Tell your assistant what you decide.')).toBeVisible();
  await expect(mute.view.getByRole('button')).toHaveCount(0);
  await mute.close();

  const host = await openInHost(await openAs(null), service, customer.token, call);
  await host.view.getByRole('button', { name: 'Open rise-colour.png' }).click();
  await expect.poll(() => host.opened.join()).toContain('/storage/files/');
  await service.call('POST', `/api/v1/jobs/${job}/approve`, customer.token);
  await host.view.getByRole('button', { name: 'Approve' }).click();
  await host.view.getByRole('button', { name: 'Approve and end the job' }).click();
  await expect(host.view.getByRole('alert')).toBeVisible();
  await host.close();
});

test('what people write is shown as text', async ({ customer, openAs, service }) => {
  const markup = '<img src="x" onerror="document.title = 1"> </script><h1>Hello</h1>';
  const job = await newJob(service, customer, { customer_title: markup });
  await move(service, job, 'accept', 'start');
  await handOver(service, job, [new URL('../fixtures/notes.txt', import.meta.url)], markup);
  const call = { name: 'get_job', args: { job_id: job } };
  const { view, close } = await openInHost(await openAs(null), service, customer.token, call);
  await expect(view.getByText(markup)).toHaveCount(2);
  await expect(view.locator('img')).toHaveCount(0);
  await close();
});

test('an order is completed and sent in the host of an agent, once', async ({ customer, openAs, service }) => {
  const args = { ...logo, customer_instructions: 'Brand name: Rise Bakery\n\nLike early morning.' };
  const page = await openAs(null);
  const host = await openInHost(page, service, customer.token, { name: 'preflight_job', args });
  const { view } = host;
  await expect(view.getByRole('textbox', { name: /^Brand name/ })).toHaveValue('Rise Bakery');
  await expect(view.getByRole('textbox', { name: /^Anything else/ })).toHaveValue('Like early morning.');
  await expect(view.getByText('500 of 500')).toBeVisible();
  await view.getByRole('textbox', { name: /^Target audience/ }).fill('Families <i>nearby</i>');
  await expectNoFindingInView(page, 'order');
  await view.getByRole('button', { name: 'Check again' }).click();
  await view.getByRole('button', { name: 'Send the order' }).click();
  await expect(view.getByText('Not answered: Style preferences')).toBeVisible();
  await view.getByRole('button', { name: 'Send', exact: true }).dblclick();
  await expect(view.getByText('The studio has the order.')).toBeVisible();

  expect(host.calls.map(({ name }) => name)).toEqual(['get_catalog', 'preflight_job', 'create_job']);
  const { jobs } = await service.call('GET', '/api/v1/jobs', customer.token);
  expect(jobs).toHaveLength(1);
  const { job } = await service.call('GET', `/api/v1/jobs/${jobs[0].id}`, customer.token);
  expect(job.customer_instructions).toBe(
    'Brand name: Rise Bakery\n\nTarget audience: Families <i>nearby</i>\n\nLike early morning.',
  );
  await expect.poll(() => host.told.join()).toContain(`it is ${job.id}. Do not create it again`);
  await host.close();
});

test('who types while the catalog arrives goes on typing', async ({ customer, openAs, service }) => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const page = await openAs(null);
  const call = { name: 'preflight_job', args: logo };
  const { view, close } = await openInHost(page, service, customer.token, call, { until });
  const title = view.getByRole('textbox', { name: 'Title' });
  await title.fill('Bakery');
  await title.press('Home');
  await page.keyboard.type('Ri');
  resolve();
  await expect(view.getByRole('textbox', { name: /^Brand name/ })).toBeVisible();
  await page.keyboard.type('se ');
  await expect(title).toHaveValue('Rise Bakery');
  const check = view.getByRole('button', { name: /^Check/ });
  await check.press('Enter');
  await expect(check).toHaveText('Check again');
  await expect(check).toBeFocused();
  await close();
});

test('an order without a plan cannot be sent, and says why', async ({ openAs, service }) => {
  const { token } = await newPerson(service);
  const host = await openInHost(await openAs(null), service, token, { name: 'preflight_job', args: logo });
  await expect(host.view.getByText('Cannot be ordered now')).toBeVisible();
  await expect(host.view.getByText(/no active plan/)).toBeVisible();
  await expect(host.view.getByRole('button', { name: 'Send the order' })).toBeDisabled();
  await host.close();
});
