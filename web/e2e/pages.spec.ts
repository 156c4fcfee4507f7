import { expectAccessible, expectNoFinding, expectReadableInDark, longWords, oneWord } from './accessible.ts';
import { expect, test } from './stage.ts';
import { handOver, move, newConversation, newCustomer, newJob, newTemplate } from './studio.ts';

const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);

/** Every page of a customer with something on it, and as a new account sees it. */
const filled = [
  '/',
  '/jobs',
  '/jobs/new',
  '/jobs/new?family=design&type=logo',
  '/templates',
  '/library',
  '/brand',
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
  '/review',
  '/upload',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password?token=abc',
  '/verify-email?token=abc',
  '/change-email?token=abc',
  '/unsubscribe',
  '/unsubscribe?token=abc',
  '/invitations/inv_01jd3vsh8xe7rtx1zqbdnzc4v0',
  '/operator-invitation?token=abc',
];

for (const width of [390, 1440])
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, isMobile: width === 390 });

    test('pages of a customer are accessible and fit', async ({ service, customer, page }) => {
      test.setTimeout(300_000);
      const job = await newJob(service, customer, { customer_title: longWords });
      await move(service, job, 'accept', 'start');
      await handOver(service, job, [fixture('rise-colour.png'), fixture('notes.txt')]);
      await newJob(service, customer, { customer_title: oneWord });
      const { webhook_endpoint: endpoint } = await service.call('POST', '/api/v1/webhook-endpoints', customer.token, {
        url: 'https://hooks.example.com/atelier',
      });
      const conversation = await newConversation(service, customer);
      await newTemplate(service, customer, longWords.slice(0, 60).trim());
      const ofTheirs = [
        `/jobs/${job}`,
        `/jobs/new?from=${job}`,
        `/webhooks/${endpoint.id}`,
        `/concierge/${conversation}`,
      ];
      for (const path of [...filled, ...ofTheirs]) await expectAccessible(page, path);
    });

    test('pages of a new account are accessible and fit', async ({ service, openAs }) => {
      test.slow();
      const page = await openAs(await newCustomer(service));
      for (const path of filled) await expectAccessible(page, path);
    });

    test('pages of the sandbox, which have no scripts, are accessible and fit', async ({ service, customer, page }) => {
      const newcomer = await newCustomer(service);
      const { checkout } = await service.call('POST', '/api/checkout/tier', newcomer.token, { plan_code: 'solo' });
      const { portal } = await service.call('POST', '/api/checkout/portal', customer.token);
      const paths = [checkout.url, `${checkout.url}/paid`, portal.url].map((url) => new URL(url).pathname);
      for (const path of [...paths, '/sandbox/mail', '/no-such-page']) await expectAccessible(page, path);
    });

    test('pages for anybody are accessible and fit', async ({ openAs }) => {
      const page = await openAs(null);
      for (const path of forAnybody) await expectAccessible(page, path);
    });
  });

/** What stands above a page: its address, and the button or the key that brings it. */
const dialogs: [string, string][] = [
  ['/keys', 'New key'],
  ['/members', 'Invite'],
  ['/webhooks', 'New endpoint'],
];

test('dialogs are accessible', async ({ service, customer, openAs }) => {
  test.slow();
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  // Without a file: where there is one, changes are asked for in the review.
  await move(service, job, 'submit', 'pass');
  const page = await openAs(customer);
  const ofJob = ['Approve', 'Ask for changes'].map((name) => [`/jobs/${job}`, name] as const);
  for (const [path, name] of [...dialogs, ...ofJob]) {
    await page.goto(path);
    await page.getByRole('button', { name }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectNoFinding(page, name);
    await expectReadableInDark(page, name);
  }
  for (const key of ['?', 'Control+k']) {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectNoFinding(page, key);
    await expectReadableInDark(page, key);
  }
});
