import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './stage.ts';
import { handOver, move, newCustomer, newJob } from './studio.ts';

const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);

/** Every page of a customer with something on it, and as a new account sees it. */
const filled = [
  '/',
  '/jobs',
  '/jobs/new',
  '/jobs/new?family=design&type=logo',
  '/files',
  '/usage',
  '/plans',
  '/keys',
  '/members',
  '/settings',
  '/concierge',
  '/webhooks',
];
const forAnybody = [
  '/catalog',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password?token=abc',
  '/verify-email?token=abc',
];

async function expectAccessible(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(
    violations.map(({ id, nodes }) => `${path}: ${id} ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
  ).toEqual([]);
  // Nothing is wider than the window.
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [390, 1440])
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 } });

      test('pages of a customer are accessible and fit', async ({ service, customer, page }) => {
        test.slow();
        const job = await newJob(service, customer);
        await move(service, job, 'accept', 'start');
        await handOver(service, job, [fixture('rise-colour.png'), fixture('notes.txt')]);
        await newJob(service, customer, { customer_title: 'A second one' });
        for (const path of [...filled, `/jobs/${job}`]) await expectAccessible(page, path);
      });

      test('pages of a new account are accessible and fit', async ({ service, openAs }) => {
        test.slow();
        const page = await openAs(await newCustomer(service));
        for (const path of filled) await expectAccessible(page, path);
      });

      test('pages for anybody are accessible and fit', async ({ openAs }) => {
        const page = await openAs(null);
        for (const path of forAnybody) await expectAccessible(page, path);
      });
    });
