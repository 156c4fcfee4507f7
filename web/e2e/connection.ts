import type { Page, Route } from '@playwright/test';

const path = '/api/operator/v1';
const isBusy = {
  code: 'service_unavailable',
  message: 'Busy.',
  action: 'Try again.',
  retry_after_seconds: 5,
};

/** Handles what the page writes from now on. */
async function whenWriting(page: Page, handle: (route: Route) => Promise<unknown>): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route(
    (url) => url.pathname.startsWith(path),
    (route) => (route.request().method() === 'GET' ? route.fallback() : handle(route)),
  );
}

export const busy = (page: Page) =>
  whenWriting(page, (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '5' }, json: { error: isBusy } }),
  );

export const slow = (page: Page) =>
  whenWriting(page, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await route.continue();
  });

/** The service does it, but the connection is lost before the answer. */
export const loseAnswers = (page: Page) =>
  whenWriting(page, async (route) => {
    await route.fetch();
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  });

export async function getBack(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().setOffline(false);
}
