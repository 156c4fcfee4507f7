import type { Page } from '@playwright/test';
import { expectNoFinding } from '../accessible.ts';
import { newOperator } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { newJob } from '../studio.ts';

const bar = (page: Page) => page.getByRole('alert').filter({ hasText: /job|by / });
const message = (page: Page) => page.getByRole('textbox', { name: 'Message to the customer' });

test('a customer cancels while the maker writes: the page says who, and keeps the text over a reload', async ({
  service,
  customer,
  openAs,
}) => {
  const maker = await newOperator(service, 'Ben Achterberg', 'maker');
  const id = await newJob(service, customer, { customer_title: 'Canceled in the middle' });
  for (const verb of ['accept', 'start'])
    await service.call('POST', `/api/operator/v1/jobs/${id}/${verb}`, maker.token, {});
  const page = await openAs(maker);
  await page.setViewportSize({ width: 1440, height: 400 });
  await page.goto(`/desk/jobs/${id}`);
  await message(page).fill('Here is the half of it, with the wide');
  await expect(page.getByText('kept on the server')).toBeVisible();
  await service.call('POST', `/api/v1/jobs/${id}/cancel`, customer.token);
  await expect(bar(page)).toContainText(`${customer.name} canceled this job.`);
  await expect(bar(page)).toContainText('Here is the half of it, with the wide');
  await expect(bar(page)).toBeInViewport({ ratio: 1 });
  await expectNoFinding(page, 'a job that was canceled in the middle');
  await page.reload();
  await expect(bar(page)).toContainText('Here is the half of it');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(bar(page)).toHaveCount(0);
});

test('a lead takes the job over: its maker reads who did, with the text', async ({ service, customer, openAs }) => {
  const [maker, lead] = [
    await newOperator(service, 'Ben Achterberg', 'maker'),
    await newOperator(service, 'Lena Holm', 'lead'),
  ];
  const id = await newJob(service, customer, { customer_title: 'Taken over' });
  for (const verb of ['accept', 'start'])
    await service.call('POST', `/api/operator/v1/jobs/${id}/${verb}`, maker.token, {});
  const page = await openAs(maker);
  await page.goto(`/desk/jobs/${id}`);
  await message(page).fill('Nearly done.');
  await expect(page.getByText('kept on the server')).toBeVisible();
  await service.call('POST', `/api/operator/v1/jobs/${id}/hold`, lead.token, {});
  await expect(bar(page)).toContainText('Taken over by Lena Holm.');
  await expect(bar(page)).toContainText('Nearly done.');
  const draft = { message: 'I go on from here.', file_ids: [] };
  await service.call('PUT', `/api/operator/v1/jobs/${id}/draft`, lead.token, draft);
  await expect(page.getByText('I go on from here.')).toBeVisible({ timeout: 10_000 });
  await expect(bar(page)).toContainText('Nearly done.');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(bar(page)).toHaveCount(0);
});

test('a message that was sent is not kept as one that was not, however the job ends', async ({
  service,
  customer,
  openAs,
}) => {
  const maker = await newOperator(service, 'Ben Achterberg', 'maker');
  const id = await newJob(service, customer, { customer_title: 'Sent and approved' });
  const { call, operatorToken } = service;
  for (const verb of ['accept', 'start']) await call('POST', `/api/operator/v1/jobs/${id}/${verb}`, maker.token, {});
  const page = await openAs(maker);
  await page.goto(`/desk/jobs/${id}`);
  await message(page).fill('All is here.');
  await expect(page.getByText('kept on the server')).toBeVisible();
  await call('POST', `/api/operator/v1/jobs/${id}/submit`, maker.token, { message: 'All is here.' });
  await call('POST', `/api/operator/v1/jobs/${id}/pass`, operatorToken, {});
  await call('POST', `/api/v1/jobs/${id}/approve`, customer.token);
  await expect(page.getByText('Completed').first()).toBeVisible();
  // Longer than the page waits before it says something.
  await page.waitForTimeout(2_500);
  await expect(page.getByText('not sent')).toHaveCount(0);
});

test('a colleague passes the work while a reviewer writes why to return it: the words stay', async ({
  service,
  customer,
  openAs,
}) => {
  const reviewer = await newOperator(service, 'Rosa Lind', 'reviewer');
  const id = await newJob(service, customer, { customer_title: 'Passed meanwhile' });
  const { call, operatorToken } = service;
  for (const [verb, body] of [
    ['accept', {}],
    ['start', {}],
    ['submit', { message: 'Here.' }],
  ] as const)
    await call('POST', `/api/operator/v1/jobs/${id}/${verb}`, operatorToken, body);
  const page = await openAs(reviewer);
  await page.goto(`/desk/jobs/${id}`);
  await page.getByRole('button', { name: 'Return' }).click();
  await page.getByRole('textbox', { name: 'What should change?' }).fill('The margins are too small.');
  await call('POST', `/api/operator/v1/jobs/${id}/pass`, operatorToken, {});
  await expect(bar(page)).toContainText('This job is now with the customer.');
  await expect(bar(page)).toContainText('The margins are too small.');
});

test('a colleague of the customer approves while changes are written: the words stay', async ({
  service,
  customer,
  page,
}) => {
  const id = await newJob(service, customer, { customer_title: 'Approved meanwhile' });
  const { call, operatorToken } = service;
  for (const [verb, body] of [
    ['accept', {}],
    ['start', {}],
    ['submit', { message: 'Here.' }],
    ['pass', {}],
  ] as const)
    await call('POST', `/api/operator/v1/jobs/${id}/${verb}`, operatorToken, body);
  await page.goto(`/jobs/${id}`);
  await page.getByRole('button', { name: 'Ask for changes' }).click();
  await page.getByRole('textbox', { name: 'What should change?' }).fill('A warmer red.');
  await call('POST', `/api/v1/jobs/${id}/approve`, customer.token);
  await expect(bar(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  const kept = page.getByRole('alert').filter({ hasText: 'The work was approved meanwhile.' });
  await expect(kept).toContainText('A warmer red.');
});
