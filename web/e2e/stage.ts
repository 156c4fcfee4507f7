import { type BrowserContext, expect, type Page, test as base } from '@playwright/test';
import { type Person, type Service, startService } from './start-service.ts';
import { buy, newCustomer } from './studio.ts';

type Stage = {
  /** A verified person with the studio plan. */
  customer: Person;
  /** A window in which the customer is signed in. Its console and its policy must stay clean. */
  page: Page;
  /** Another window, of anybody. */
  openAs: (person: Person | null) => Promise<Page>;
};

/** One service for a worker; a person, a browser and its windows for each test. */
export const test = base.extend<Stage, { service: Service }>({
  service: [
    // Playwright reads from the pattern what a fixture needs.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const service = await startService();
      await use(service);
      await service.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  customer: async ({ service }, use) => {
    const person = await newCustomer(service);
    await buy(service, person, 'studio');
    await use(person);
  },
  openAs: async (
    { browser, service, contextOptions, locale, timezoneId, colorScheme, viewport, isMobile, hasTouch },
    use,
  ) => {
    const contexts: BrowserContext[] = [];
    const faults: string[] = [];
    await use(async (person) => {
      const context = await browser.newContext({
        ...contextOptions,
        baseURL: service.url,
        ...(locale ? { locale } : {}),
        ...(timezoneId ? { timezoneId } : {}),
        colorScheme: colorScheme ?? 'light',
        viewport: viewport ?? { width: 1440, height: 900 },
        ...(isMobile ? { isMobile } : {}),
        ...(hasTouch ? { hasTouch } : {}),
      });
      contexts.push(context);
      if (person) await signIn(context, service, person);
      const page = await context.newPage();
      listen(page, faults);
      return page;
    });
    for (const context of contexts) await context.close();
    expect(faults, 'the console and the content security policy').toEqual([]);
  },
  page: async ({ openAs, customer }, use) => {
    await use(await openAs(customer));
  },
});

export { expect };

async function signIn(context: BrowserContext, { url }: Service, { email, password }: Person): Promise<void> {
  const answer = await context.request.post('/api/auth/sign-in/email', {
    data: { email, password },
    headers: { origin: url },
  });
  expect(answer.status()).toBe(200);
}

/** An answer that a test provokes, or that a halted service does not give, is written by the browser itself, not by a page. */
const expected =
  /Failed to load resource: (the server responded with a status of (400|401|403|404|409|413|422|429|503)|net::ERR_(CONNECTION_REFUSED|INTERNET_DISCONNECTED))/;

function listen(page: Page, faults: string[]): void {
  // From the beginning: a chooser that opens while the browser learns of the first who waits for one is not seen.
  page.on('filechooser', () => {});
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !expected.test(text))
      faults.push(`${message.type()}: ${text}`);
  });
}
