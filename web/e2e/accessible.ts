import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './stage.ts';

/** Titles as long as they may be. */
export const longWords = 'A logo for the bakery '.repeat(10).slice(0, 199) + '.';
export const oneWord = 'W'.repeat(200);

/** A page without a finding of axe in either scheme, that fits its window. */
export async function expectAccessible(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
  await expectNoFinding(page, path);
  await expectFits(page, path);
  await expectReadableInDark(page, path);
}

/** The schemes differ in colours only, so the dark one is checked for contrast only, without another load. */
export async function expectReadableInDark(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html:not([data-mantine-color-scheme="light"])')).toBeAttached();
  await untilColoursRest(page);
  const { violations } = await new AxeBuilder({ page }).withRules(['color-contrast', 'link-in-text-block']).analyze();
  expect(said(violations, `${what}, dark`)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html:not([data-mantine-color-scheme="dark"])')).toBeAttached();
}

/** A colour on its way from one scheme to the other has any contrast. */
const untilColoursRest = (page: Page) =>
  page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(changes.map(({ finished }) => finished));
  });

/** The window of a phone grows with a page that is too wide, its screen does not. */
async function expectFits(page: Page, path: string): Promise<void> {
  const [width, limit] = await page.evaluate(() => [document.documentElement.scrollWidth, screen.width]);
  expect(width, `${path} is as wide as its screen at most`).toBeLessThanOrEqual(limit ?? 0);
}

/** What is on the page now, such as a dialog above it. */
export async function expectNoFinding(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    // WCAG 2.5.3, which axe leaves out by itself.
    .options({
      rules: {
        'label-content-name-mismatch': { enabled: true },
        region: { enabled: true },
        'empty-table-header': { enabled: true },
      },
    })
    .analyze();
  expect(said(violations, what)).toEqual([]);
}

const said = (violations: { id: string; nodes: { html: string }[] }[], what: string) =>
  violations.map(({ id, nodes }) => `${what}: ${id} ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
