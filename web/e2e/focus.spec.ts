import type { Locator, Page } from '@playwright/test';
import { operatorOf } from './desk.ts';
import type { Person, Service } from './start-service.ts';
import { expect, test } from './stage.ts';
import { handOver, move, newJob } from './studio.ts';

const fixture = new URL('fixtures/rise-colour.png', import.meta.url);

/** What is opened by keys alone, then closed by Escape: the focus is back at what opened it. */
async function openAndLeave(page: Page, opener: Locator, open: () => Promise<unknown>): Promise<void> {
  await opener.focus();
  await open();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
}

async function deliveredJob(service: Service, customer: Person): Promise<string> {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await handOver(service, job, [fixture]);
  return job;
}

// Dialogs are put on the page some time after it, or when they are wanted: both ways are walked.
for (const [when, milliseconds] of [
  ['at once', 0],
  ['later', 2_000],
] as const)
  test.describe(when, () => {
    test('a dialog of a customer gives the focus back', async ({ service, customer, page }) => {
      const job = `/jobs/${await deliveredJob(service, customer)}`;
      for (const [path, name] of [
        [job, 'Approve'],
        ['/keys', 'New key'],
        ['/members', 'Invite'],
        ['/webhooks', 'New endpoint'],
      ] as const) {
        await page.goto(path);
        await page.waitForTimeout(milliseconds);
        const opener = page.getByRole('button', { name }).first();
        await openAndLeave(page, opener, () => page.keyboard.press('Enter'));
      }
    });

    test('the keys and the palette give the focus back', async ({ page }) => {
      for (const keys of ['?', 'Control+k']) {
        await page.goto('/');
        await page.waitForTimeout(milliseconds);
        await openAndLeave(page, page.getByRole('button', { name: 'Talk it through' }), () =>
          page.keyboard.press(keys),
        );
      }
    });

    test('a dialog of the desk gives the focus back', async ({ service, customer, openAs }) => {
      const job = await newJob(service, customer);
      const page = await openAs(operatorOf(service));
      await page.goto(`/desk/jobs/${job}`);
      await page.waitForTimeout(milliseconds);
      const opener = page.getByRole('button', { name: 'Reject' });
      await openAndLeave(page, opener, () => page.keyboard.press('Enter'));
    });

    test.describe('on a phone', () => {
      test.use({ viewport: { width: 390, height: 844 } });
      test('the navigation gives the focus back', async ({ page }) => {
        await page.goto('/');
        await page.waitForTimeout(milliseconds);
        const opener = page.getByRole('button', { name: 'Open the navigation' });
        await openAndLeave(page, opener, () => page.keyboard.press('Enter'));
      });
    });
  });
