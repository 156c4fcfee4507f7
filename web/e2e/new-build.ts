import type { Page } from '@playwright/test';

/** A deployment while the page is open: the service names another build, and the page looks. Its clock is installed. */
export async function deployAnother(page: Page): Promise<void> {
  await page.route('**/api/v1/installation', async (route) => {
    const answer = await route.fetch();
    const { installation } = (await answer.json()) as { installation: object };
    await route.fulfill({ response: answer, json: { installation: { ...installation, build: 'another' } } });
  });
  await page.clock.fastForward('06:00');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}
