import type { Browser, CDPSession } from '@playwright/test';
import { operatorOf } from './desk.ts';
import type { Service } from './start-service.ts';
import { buy, newCustomer, newJob } from './studio.ts';

export const queueRows = 400;
/** Open jobs that the largest plan allows. */
const jobsPerCustomer = 25;
const presses = 10;

/** Milliseconds of the page's thread since it was opened. */
async function threadTime(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0) * 1_000;
}

/** Milliseconds of processor that each press of `j` takes in a long queue, until the page is quiet again. */
export async function measureQueue(browser: Browser, service: Service): Promise<number[]> {
  for (let number = 0; number < queueRows; number += jobsPerCustomer) {
    const customer = await newCustomer(service);
    await buy(service, customer, 'studio');
    await Promise.all(Array.from({ length: jobsPerCustomer }, () => newJob(service, customer)));
  }
  const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1_440, height: 900 } });
  const { email, password } = operatorOf(service);
  const headers = { origin: service.url };
  await context.request.post('/api/auth/sign-in/email', { data: { email, password }, headers });
  const page = await context.newPage();
  await page.goto('/desk?peek=off');
  const shown = page.locator('a.row-link');
  for (let count = 100; count < queueRows; count += 100) {
    await page.getByRole('button', { name: 'Show more' }).click();
    await shown.nth(count + 99).waitFor();
  }
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const times: number[] = [];
  // The first one only focuses the list.
  for (let press = -1; press < presses; press++) {
    const before = await threadTime(devtools);
    await page.keyboard.press('j');
    await page.waitForTimeout(400);
    if (press >= 0) times.push((await threadTime(devtools)) - before);
  }
  await context.close();
  return times;
}
