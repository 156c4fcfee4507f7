import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from '../stage.ts';
import type { Person } from '../start-service.ts';
import { buy, newCustomer } from '../studio.ts';

const order = '/jobs/new?family=design&type=logo';
const notes = fileURLToPath(new URL('../fixtures/notes.txt', import.meta.url));
const stored = (page: Page) => expect(page.getByText('Stored as a draft of your account')).toBeVisible();

test('two windows of one draft: the later change of a field counts, and the other window is told', async ({ page }) => {
  await page.goto(order);
  await page.getByLabel('Title').fill('Logo for a bakery');
  await stored(page);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(other.getByLabel('Title')).toHaveValue('Logo for a bakery');
  await other.getByLabel('Title').fill('Logo for two bakeries');
  await expect(page.getByText('Changed in another window: Title.')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Logo for two bakeries');
  await page.getByLabel('Brand name').fill('Rise Bakery');
  await expect(page.getByText('Changed in another window')).toHaveCount(0);
  await expect(other.getByLabel('Brand name')).toHaveValue('Rise Bakery');
});

test('a draft that another window ordered says so, and shows what was not ordered with it', async ({
  service,
  customer,
  page,
}) => {
  await page.goto(order);
  await page.getByLabel('Brand name').fill('Rise Bakery');
  await stored(page);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(other.getByLabel('Brand name')).toHaveValue('Rise Bakery');
  // What is typed here is not stored before the order.
  await other.route('**/api/v1/intake/sessions/*', (route) =>
    route.request().method() === 'PATCH' ? undefined : route.continue(),
  );
  await other.getByLabel('Title').fill('Logo for a bakery, and a sign');
  await page.getByRole('button', { name: /^Order with/ }).click();
  await page.waitForURL('**/jobs/job_*');
  await expect(other.getByText('This draft was ordered.')).toBeVisible();
  await expect(other.getByText('Logo for a bakery, and a sign')).toBeVisible();
  await other.getByRole('link', { name: 'Follow the job' }).click();
  await expect(other.getByRole('heading', { name: 'Logo: Rise Bakery' })).toBeVisible();
  const { jobs } = await service.call('GET', '/api/v1/jobs', customer.token);
  expect(jobs).toHaveLength(1);
});

async function signInTo(page: Page, { email, password }: Person, path: string): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signOut(page: Page, { name }: Person): Promise<void> {
  await page.getByRole('button', { name, exact: true }).last().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
}

test('a draft is its account’s: the next person in this browser begins anew, and the writer finds it again', async ({
  service,
  openAs,
}) => {
  test.slow();
  const anna = await newCustomer(service, 'Anna Berg');
  const bob = await newCustomer(service, 'Bob Carr');
  for (const person of [anna, bob]) await buy(service, person, 'solo');
  const page = await openAs(null);
  await signInTo(page, anna, order);
  await page.getByLabel('Title').fill('A secret of Anna');
  await page.locator('input[type=file]').last().setInputFiles(notes);
  await expect(page.getByRole('button', { name: 'Remove notes.txt' })).toBeVisible();
  await stored(page);
  const { pathname, search } = new URL(page.url());
  await signOut(page, anna);

  await signInTo(page, bob, pathname + search);
  await expect(page.getByRole('alert')).toContainText('There is no such');
  await page.goto(order);
  await expect(page.getByLabel('Title')).toHaveValue('');
  await page.getByLabel('Title').fill('The logo of Bob');
  await page.getByLabel('Brand name').fill('Carr & Sons');
  await page.getByRole('button', { name: /^Order with/ }).click();
  await expect(page.getByRole('heading', { name: 'The logo of Bob' })).toBeVisible();
  await signOut(page, bob);

  await signInTo(page, anna, pathname + search);
  await expect(page.getByLabel('Title')).toHaveValue('A secret of Anna');
  await expect(page.getByText('notes.txt')).toBeVisible();
});
