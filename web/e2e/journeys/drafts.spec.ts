import type { Page } from '@playwright/test';
import { expect, test } from '../stage.ts';
import type { Person } from '../start-service.ts';
import { buy, newCustomer } from '../studio.ts';

const order = '/jobs/new?family=design&type=logo';
const notes = new URL('../fixtures/notes.txt', import.meta.url).pathname;

test('a draft that another tab ordered meanwhile says so, and the next press orders what it says now', async ({
  service,
  customer,
  page,
}) => {
  await page.goto(order);
  await page.getByLabel('Title').fill('Logo for a bakery');
  await page.getByLabel(/^Brand name/).fill('Rise Bakery');
  const other = await page.context().newPage();
  await other.goto(order);
  await expect(other.getByLabel('Title')).toHaveValue('Logo for a bakery');
  await page.getByRole('button', { name: 'Order job' }).click();
  await page.waitForURL('**/jobs/job_*');

  await other.getByLabel('Title').fill('Logo for a bakery, and a sign');
  await other.getByRole('button', { name: 'Order job' }).click();
  const told = other.getByRole('alert');
  await expect(told).toContainText('An earlier version of this draft was ordered');
  await expect(told.getByRole('link', { name: 'your jobs' })).toHaveAttribute('href', '/jobs');
  await other.getByRole('button', { name: 'Order job' }).click();
  await expect(other.getByRole('heading', { name: 'Logo for a bakery, and a sign' })).toBeVisible();
  const { jobs } = await service.call('GET', '/api/v1/jobs', customer.token);
  expect(jobs.map((job: { customer_title: string }) => job.customer_title).toSorted()).toEqual([
    'Logo for a bakery',
    'Logo for a bakery, and a sign',
  ]);
});

async function signInTo(page: Page, { email, password }: Person): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(order)}`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Title')).toBeVisible();
}

async function signOut(page: Page, { name }: Person): Promise<void> {
  await page.getByRole('button', { name, exact: true }).last().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
}

test('a draft is its writer’s: the next person in this browser begins anew, and the writer finds it again', async ({
  service,
  openAs,
}) => {
  test.slow();
  const anna = await newCustomer(service, 'Anna Berg');
  const bob = await newCustomer(service, 'Bob Carr');
  for (const person of [anna, bob]) await buy(service, person, 'solo');
  const page = await openAs(null);
  await signInTo(page, anna);
  await page.getByLabel('Title').fill('A secret of Anna');
  await page.locator('input[type=file]').setInputFiles(notes);
  await expect(page.getByText('uploaded', { exact: true })).toBeVisible();
  await signOut(page, anna);

  await signInTo(page, bob);
  await expect(page.getByLabel('Title')).toHaveValue('');
  await expect(page.getByText('notes.txt')).toHaveCount(0);
  await page.getByLabel('Title').fill('The logo of Bob');
  await page.getByLabel(/^Brand name/).fill('Carr & Sons');
  await page.getByRole('button', { name: 'Order job' }).click();
  await expect(page.getByRole('heading', { name: 'The logo of Bob' })).toBeVisible();
  await signOut(page, bob);

  await signInTo(page, anna);
  await expect(page.getByLabel('Title')).toHaveValue('A secret of Anna');
  await expect(page.getByText('notes.txt')).toBeVisible();
});
