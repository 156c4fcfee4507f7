import { expectAccessible } from './accessible.ts';
import { test } from './stage.ts';
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
  '/webhooks',
  '/members',
  '/settings',
  '/concierge',
];
const forAnybody = [
  '/catalog',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password?token=abc',
  '/verify-email?token=abc',
];

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
        const { webhook_endpoint: endpoint } = await service.call('POST', '/api/v1/webhook-endpoints', customer.token, {
          url: 'https://hooks.example.com/atelier',
        });
        for (const path of [...filled, `/jobs/${job}`, `/webhooks/${endpoint.id}`]) await expectAccessible(page, path);
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
