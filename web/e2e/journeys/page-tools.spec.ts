import type { Page } from '@playwright/test';
import { expectNoFinding } from '../accessible.ts';
import { withAssistant } from '../model-context.ts';
import { newDelivery } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import { newJob } from '../studio.ts';

const order = '/jobs/new?family=design&type=logo';
const orderTools = ['check_order', 'get_catalog', 'read_order', 'suggest_answers'];
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

test('an assistant of the browser reads the catalog, suggests and checks; the person accepts and orders', async ({
  customer,
  page,
  service,
}) => {
  const assistant = await withAssistant(page);
  await page.goto('/jobs/new');
  await expect.poll(assistant.names).toEqual(['get_catalog']);
  const { service_families: families } = await assistant.call('get_catalog');
  expect(families.map(({ id }: { id: string }) => id)).toContain('design');
  await page.getByRole('link', { name: /^Logo/ }).first().click();
  await expect.poll(assistant.names).toEqual(orderTools);

  await field(page, 'Style preferences').fill('Warm and hand-made');
  const { suggested, kept } = await assistant.call('suggest_answers', {
    answers: {
      'Brand name': 'Rise Bakery',
      'Target audience': 'Families nearby',
      'Style preferences': 'Cold and shiny',
    },
  });
  expect([suggested, kept]).toEqual([['Brand name', 'Target audience'], ['Style preferences']]);
  await expect(field(page, 'Brand name')).toHaveValue('Rise Bakery');
  await expect(field(page, 'Style preferences')).toHaveValue('Warm and hand-made');
  await expect(page.getByText('from your assistant')).toHaveCount(2);
  await expectNoFinding(page, 'the order page with suggestions of an assistant');
  const missing = async () => (await assistant.call('check_order')).preflight.intent_check.missing_intake_requirements;
  expect(await missing(), 'what is only suggested does not count').toEqual(
    expect.arrayContaining(['Brand name', 'Target audience']),
  );

  await page.getByRole('button', { name: 'Accept Brand name' }).click();
  await page.getByRole('button', { name: 'Dismiss Target audience' }).click();
  await expect(field(page, 'Target audience')).toHaveValue('');
  expect(await missing()).toEqual(expect.not.arrayContaining(['Brand name', 'Style preferences']));
  const { fields } = await assistant.call('read_order');
  expect(fields).toMatchObject([
    { field: 'Brand name', state: 'answered', answer: 'Rise Bakery' },
    { field: 'Target audience', state: 'empty', answer: '' },
    { field: 'Style preferences', state: 'answered', answer: 'Warm and hand-made' },
    { field: 'Where it will be used' },
    { field: 'Existing brand assets' },
  ]);
  const { jobs } = await service.call('GET', '/api/v1/jobs', customer.token);
  expect(jobs, 'no tool orders').toEqual([]);

  await page.getByRole('button', { name: /^Order/ }).click();
  await page.waitForURL('**/jobs/job_*');
  await expect.poll(assistant.names).toEqual(['get_delivery', 'get_job']);
  const { job } = await assistant.call('get_job');
  expect(job.customer_instructions).toContain('Brand name: Rise Bakery');
  expect(job.customer_instructions).not.toContain('Families nearby');
  await page.getByRole('link', { name: 'Library', exact: true }).click();
  await expect.poll(assistant.names, 'other pages have no tools').toEqual([]);
});

test('422: an assistant that suggests what no field takes is told so, and nothing changes', async ({ page }) => {
  const assistant = await withAssistant(page);
  await page.goto(order);
  await expect.poll(assistant.names).toEqual(orderTools);
  for (const input of [
    {},
    { answers: 'Rise Bakery' },
    { answers: { 'No such field': 'x' } },
    { answers: { 'Brand name': 5 } },
    { answers: { 'Brand name': 'x'.repeat(61) } },
    { answers: { 'Target audience': 'x'.repeat(5_001) } },
    { answers: { 'Brand name': 'Rise Bakery', 'Target audience': ' ' } },
  ])
    expect((await assistant.call('suggest_answers', input)).error?.code, JSON.stringify(input).slice(0, 80)).toBe(
      'invalid_request',
    );
  await expect(page.getByText('from your assistant')).toHaveCount(0);
  await assistant.call('suggest_answers', { answers: { 'Brand name': '<img src=x onerror=alert(1)>' } });
  await expect(field(page, 'Brand name')).toHaveValue('<img src=x onerror=alert(1)>');
});

test('a delivery is read with its files; every tool but suggesting only reads, and none decides', async ({
  customer,
  page,
  service,
}) => {
  const assistant = await withAssistant(page);
  const { job } = await newDelivery(service, customer, 'rise-colour.png');
  await page.goto(`/jobs/${job}`);
  await expect.poll(assistant.names).toEqual(['get_delivery', 'get_job']);
  const { delivery, status } = await assistant.call('get_delivery');
  expect(status).toBe('ready_for_customer_review');
  expect(delivery.files).toMatchObject([{ file_name: expect.stringContaining('rise-colour'), status: 'uploaded' }]);
  const file = await page.context().request.get(delivery.files[0].url);
  expect([file.status(), (await file.body()).length]).toEqual([200, delivery.files[0].size_bytes]);
  const { job: read } = await service.call('GET', `/api/v1/jobs/${job}`, customer.token);
  expect(read.status).toBe('ready_for_customer_review');

  await page.goto(order);
  await expect.poll(assistant.names).toEqual(orderTools);
  const writing = (await assistant.tools()).filter(({ annotations }) => !annotations.readOnlyHint);
  expect(writing.map(({ name }) => name)).toEqual(['suggest_answers']);
});

test('a browser without the API loads no tools', async ({ customer, openAs, page, service }) => {
  const toolsLoadedBy = (window: Page) => {
    const loaded: string[] = [];
    window.on('request', (request) => {
      if (/\/assets\/\w+-tools-[\w-]+\.js$/.test(request.url()) && !request.url().includes('page-tools'))
        loaded.push(request.url());
    });
    return loaded;
  };
  const job = await newJob(service, customer);
  const loaded = toolsLoadedBy(page);
  for (const path of ['/jobs/new', order, `/jobs/${job}`]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await page.waitForTimeout(8_000); // other pages are loaded early, once the page is quiet
  expect(loaded).toEqual([]);

  const other = await openAs(customer);
  const loadedByOther = toolsLoadedBy(other);
  const assistant = await withAssistant(other);
  await other.goto(`/jobs/${job}`);
  await expect.poll(assistant.names).toEqual(['get_delivery', 'get_job']);
  expect(loadedByOther).toEqual([expect.stringContaining('job-tools')]);
});
