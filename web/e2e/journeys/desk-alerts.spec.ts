import type { Page } from '@playwright/test';
import { expectNoFinding } from '../accessible.ts';
import { newMacros, newOperator, operatorOf } from '../desk.ts';
import type { Person, Service } from '../start-service.ts';
import { expect, test } from '../stage.ts';
import { move, newJob } from '../studio.ts';

const alerts = (page: Page) => page.getByRole('region', { name: 'Alerts' });
const words = 'Handed to you';

const idOf = async ({ call, operatorToken }: Service, { name }: Person): Promise<string> => {
  const { operators } = await call('GET', '/api/operator/v1/operators?limit=100', operatorToken);
  return operators.find((operator: { name: string }) => operator.name === name).id;
};

/** A job that the first operator has and can hand over. */
async function heldJob(service: Service, customer: Person, customer_title: string): Promise<string> {
  const id = await newJob(service, customer, { customer_title });
  await move(service, id, 'accept');
  return id;
}

const handOver = ({ call, operatorToken }: Service, job: string, operator_id: string) =>
  call('POST', `/api/operator/v1/jobs/${job}/hold`, operatorToken, { operator_id });

const readsNews = (page: Page) => page.waitForResponse('**/api/auth/notifications?**');

async function openDesk(page: Page): Promise<void> {
  const read = readsNews(page);
  await page.goto('/desk?tab=mine');
  await read;
}

/** What the page does in the background; a window of a test is always in view. */
const setInView = (page: Page, inView: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    inView ? 'visible' : 'hidden',
  );

test('a job that a colleague hands over is told once in two tabs, and leads to the job; its giver hears nothing', async ({
  service,
  customer,
  openAs,
}) => {
  const ben = await newOperator(service, `Ben ${Date.now()}`);
  const page = await openAs(ben);
  await openDesk(page);
  const second = await page.context().newPage();
  await second.goto('/desk/accounts');
  const giver = await openAs(operatorOf(service));
  await openDesk(giver);
  const id = await heldJob(service, customer, 'Menu for the alerts');
  await handOver(service, id, await idOf(service, ben));
  await expect
    .poll(async () => (await alerts(page).getByText(words).count()) + (await alerts(second).getByText(words).count()))
    .toBe(1);
  const shower = (await alerts(page).getByText(words).count()) === 1 ? page : second;
  await expect(alerts(shower)).toContainText('Menu for the alerts');
  await expectNoFinding(shower, 'a page with an alert');
  await shower.bringToFront();
  await shower.keyboard.press('y');
  await expect(shower).toHaveURL(`/desk/jobs/${id}`);
  await expect(alerts(shower).getByText(words)).toHaveCount(0);
  await expect(alerts(giver).getByText(words)).toHaveCount(0);
  // It is seen behind the bell, too, and not told again after a reload.
  await expect(shower.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  const read = readsNews(shower);
  await shower.reload();
  await read;
  await expect(alerts(shower).getByText(words)).toHaveCount(0);
});

test('in the background alerts are counted in the title and, once asked for, notified; they wait for the reader', async ({
  service,
  customer,
  openAs,
}) => {
  const ben = await newOperator(service, `Ben ${Date.now()}`);
  const page = await openAs(ben);
  // The browser of a test has no notifications of its own.
  await page.addInitScript(() => {
    const shown: [string, string][] = [];
    class Fake extends EventTarget {
      static permission = 'default';
      static requestPermission = () => Promise.resolve((Fake.permission = 'granted'));
      constructor(title: string, { body }: { body: string }) {
        super();
        shown.push([title, body]);
      }
      close() {}
    }
    Object.assign(window, { Notification: Fake, shown });
  });
  await openDesk(page);
  const shown = () => page.evaluate(() => (window as unknown as { shown: string[][] }).shown);
  expect(await shown()).toEqual([]);
  await page.getByRole('button', { name: ben.name }).click();
  const choice = page.getByRole('menuitemcheckbox', { name: 'Alerts of this browser' });
  await choice.click();
  await expect(choice).toBeChecked();
  await page.keyboard.press('Escape');
  await setInView(page, false);
  const id = await heldJob(service, customer, 'Poster for the alerts');
  await handOver(service, id, await idOf(service, ben));
  await expect(page).toHaveTitle(/1 alert\) Queue/, { timeout: 20_000 });
  expect((await shown()).slice(1)).toEqual([[words, 'Poster for the alerts']]);
  await expect(alerts(page).getByText(words)).toHaveCount(0);
  await setInView(page, true);
  await expect(alerts(page)).toContainText('Poster for the alerts');
  await expect(page).toHaveTitle(/^(?!.*alert)/);
  // What is seen behind the bell is no toast any more.
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await page.getByRole('link', { name: /^Handed to you/ }).click();
  await expect(page).toHaveURL(`/desk/jobs/${id}`);
  await expect(alerts(page).getByText(words)).toHaveCount(0);
});

test('an alert does not lie over the field that somebody writes in, nor over the list of macros', async ({
  service,
  customer,
  openAs,
}) => {
  await newMacros(service);
  const ben = await newOperator(service, `Ben ${Date.now()}`);
  const open = await heldJob(service, customer, 'The job that is written about');
  const page = await openAs(ben);
  const read = readsNews(page);
  await page.goto(`/desk/jobs/${open}`);
  await read;
  const field = page.getByLabel('Write to the customer', { exact: true });
  await field.focus();
  await page.keyboard.press('/');
  await handOver(service, await heldJob(service, customer, 'Card for the alerts'), await idOf(service, ben));
  const alert = alerts(page).locator('.toast');
  await expect(alert).toContainText('Card for the alerts');
  const list = page.getByRole('listbox', { name: 'Macros' });
  await expect(list).toBeInViewport({ ratio: 1 });
  const { x, y, width, height } = (await alert.boundingBox())!;
  for (const worked of [field, list]) {
    const box = (await worked.boundingBox())!;
    const isApart = box.y >= y + height || box.y + box.height <= y || box.x >= x + width || box.x + box.width <= x;
    expect(isApart, JSON.stringify({ box, alert: { x, y, width, height } })).toBe(true);
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true });

  test('one alert stands above the bar, and closes with the older ones', async ({ service, customer, openAs }) => {
    const ben = await newOperator(service, `Ben ${Date.now()}`);
    const page = await openAs(ben);
    await openDesk(page);
    for (const title of ['First of the phone', 'Second of the phone'])
      await handOver(service, await heldJob(service, customer, title), await idOf(service, ben));
    const alert = alerts(page).locator('.toast');
    await expect(alert).toContainText('and 1 older');
    await expect(alert).toHaveCount(1);
    const bar = (await page.locator('.phone-bar').boundingBox())!;
    const box = (await alert.boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual(bar.y);
    await alert.getByRole('button', { name: 'Close all alerts' }).click();
    await expect(alert).toHaveCount(0);
  });
});
