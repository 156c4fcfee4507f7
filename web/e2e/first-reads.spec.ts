import type { Page } from '@playwright/test';
import { customerPages, deskPages } from '../../contract/pages.ts';
import { operatorOf } from './desk.ts';
import { expect, test } from './stage.ts';
import { newJob } from './studio.ts';

const pages = [
  customerPages.home,
  customerPages.jobs,
  customerPages.newJob,
  customerPages.job,
  deskPages.queue,
  deskPages.job,
  deskPages.figures,
];

const isStream = (url: string) => url.endsWith('/stream');

/** Opens a page until it follows its stream, the last thing that it asks for by itself; answers what it reads, and goes on. */
async function open(page: Page, path: string): Promise<string[]> {
  const read: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/api/')) read.push(request.url());
  });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => read.some(isStream)).toBe(true);
  return read;
}

for (const path of pages) {
  test(`${path}: what is read before the app is there is not read again`, async ({ openAs, service, customer }) => {
    const page = await openAs(path.startsWith('/desk') ? operatorOf(service) : customer);
    const read = await open(page, path.replace(':id', await newJob(service, customer)));
    const first = read.slice(0, read.findIndex(isStream));
    expect(first).toEqual([...new Set(first)]);
  });

  test(`${path}: all of it is what the page reads itself where it was refused`, async ({
    openAs,
    service,
    customer,
  }) => {
    const page = await openAs(path.startsWith('/desk') ? operatorOf(service) : customer);
    const refused = new Set<string>();
    await page.route(/\/api\//, (route, request) => {
      const url = request.url();
      if (refused.has(url) || isStream(url) || request.method() !== 'GET') return route.continue();
      refused.add(url);
      return route.fulfill({ status: 503 });
    });
    const read = await open(page, path.replace(':id', await newJob(service, customer)));
    await expect.poll(() => [...refused].filter((url) => read.filter((one) => one === url).length < 2)).toEqual([]);
  });
}
