import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expectAccessible, expectNoFinding } from '../accessible.ts';
import { expect, test } from '../stage.ts';
import type { Service } from '../start-service.ts';
import { move, newJob } from '../studio.ts';

const picture = fileURLToPath(new URL('../fixtures/rise-colour.png', import.meta.url));

const sayAtDesk = ({ call, operatorToken }: Service, job: string, text: string, more: object = {}) =>
  call('POST', `/api/operator/v1/jobs/${job}/messages`, operatorToken, { text, ...more });

const question = (page: Page) => page.getByRole('region', { name: 'Your turn' });
const story = (page: Page) => page.getByRole('region', { name: 'Story' });

test('a question stops the clock, and an answer with a picture starts it again @change', async ({
  service,
  customer,
  page,
}) => {
  test.slow();
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await page.goto(`/jobs/${job}`);
  await expect(page.getByText('First delivery by')).toBeVisible();

  await sayAtDesk(service, job, 'Shall the <b>wheat ear</b> stay?', { question: true });
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Question for you');
  await expect(question(page)).toContainText('Shall the <b>wheat ear</b> stay?');
  await expect(page.getByText('First delivery, if you answer now')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Jobs 1' })).toBeVisible();
  await expectNoFinding(page, 'a job that waits');

  const answer = question(page).getByLabel('Your answer');
  await answer.fill('Leave it out, please.');
  await question(page).locator('input[type=file]').setInputFiles(picture);
  await expect(question(page).getByRole('button', { name: 'Leave out rise-colour.png' })).toBeVisible();
  // Nothing typed or attached is lost.
  await page.reload();
  await expect(answer).toHaveValue('Leave it out, please.');
  await expect(question(page).getByRole('button', { name: 'Leave out rise-colour.png' })).toBeVisible();
  await answer.press('Control+Enter');
  await expect(question(page)).toHaveCount(0);
  await expect(story(page)).toContainText('Leave it out, please.');
  await expect(story(page).getByRole('button', { name: /rise-colour\.png/ })).toBeVisible();
  await expect(story(page).getByText('The clock runs again:')).toBeVisible();
  await expect(page.getByRole('main').getByRole('status')).toHaveText('In work');
});

test('a message that is not sent stays, and is sent once', async ({ service, customer, page }) => {
  const job = await newJob(service, customer);
  await page.goto(`/jobs/${job}`);
  await expect(story(page)).toBeVisible();
  await page.keyboard.press('m');
  await page.keyboard.type('By the way');
  await page.keyboard.press('Escape');
  const field = story(page).getByLabel('Message to the studio');
  await expect(field).toHaveValue('By the way');
  // The service gets it, and the page does not hear of it.
  await page.route('**/messages', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    await route.fulfill({ status: 503, json: { error: { code: 'service_unavailable', message: 'Busy.' } } });
  });
  await field.press('Control+Enter');
  await expect(story(page).getByText('Not sent.')).toBeVisible();
  await expect(field).toHaveValue('By the way');
  await page.unroute('**/messages');
  await story(page).getByRole('button', { name: 'Try again' }).click();
  await expect(field).toHaveValue('');
  await expect(story(page).getByText('By the way')).toHaveCount(1);

  await story(page).getByText('By the way').hover();
  await story(page)
    .getByRole('button', { name: /Take back/ })
    .click();
  await expect(story(page).getByText('You took a message back')).toBeVisible();
  await expect(story(page).getByText('By the way')).toHaveCount(0);
});

test('an answer that a colleague gave first leaves the own one as a message', async ({ service, customer, page }) => {
  const job = await newJob(service, customer);
  await sayAtDesk(service, job, 'Which green?', { question: true });
  await sayAtDesk(service, job, 'And which cream?', { question: true });
  await page.goto(`/jobs/${job}#answer`);
  await expect(question(page)).toContainText('And which cream?');
  await expect(question(page).getByLabel('Your answer')).toBeFocused();
  await page.keyboard.type('The dark one.');
  const { plaintext_key } = await service.call('POST', '/api/v1/api-keys', customer.token, { name: 'shop' });
  const answered = await fetch(`${service.url}/api/v1/jobs/${job}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${plaintext_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Both dark.' }),
  });
  expect(answered.status).toBe(201);
  await expect(page.getByText('shop answered meanwhile.')).toBeVisible();
  await page.getByRole('button', { name: 'Make it a message' }).click();
  await expect(story(page).getByLabel('Message to the studio')).toHaveValue('The dark one.');
});

test('unread words are counted until they are looked at', async ({ service, customer, page }) => {
  const job = await newJob(service, customer);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await sayAtDesk(service, job, 'Thank you, that is in good time.');
  await expect(page).toHaveTitle(/^\(1\) /);
  await expect(page.getByRole('row', { name: /1 new/ })).toBeVisible();
  await page.getByRole('row', { name: /1 new/ }).click();
  await expect(story(page).getByText('New since you were here')).toBeVisible();
  await story(page).getByLabel('Message to the studio').scrollIntoViewIfNeeded();
  await expect(page).toHaveTitle(/^Logo/);
  await page.reload();
  await expect(story(page)).toBeVisible();
  await expect(story(page).getByText('New since you were here')).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true });

  test('the question comes first, and the field is at hand', async ({ service, customer, page }) => {
    const job = await newJob(service, customer);
    await sayAtDesk(service, job, 'Which green?', { question: true });
    await expectAccessible(page, `/jobs/${job}`);
    await page.getByLabel('Your answer').fill('The dark one.');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await expect(question(page)).toHaveCount(0);
    await page.getByRole('button', { name: /^Story/ }).click();
    await expect(story(page).getByText('The dark one.')).toBeVisible();
  });
});
