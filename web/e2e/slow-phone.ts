import type { Browser } from '@playwright/test';
import { customerPages } from '../../contract/pages.ts';
import type { Day } from './pictured-day.ts';
import type { Person, Service } from './start-service.ts';

/** A phone of 390 pixels with a quarter of this machine's processor, on 4G or on a line that is worse. */
const lines = {
  usual: { latency: 150, downloadThroughput: 200_000 },
  poor: { latency: 400, downloadThroughput: 180_000 },
};

/** What may move under the reader, from the first paint on. */
export const mostShift = 0.02;

export type Measured = { lcp: number; cls: number; blocking: number; moved: string[] };

/** A page on a phone, from an empty cache until it is quiet. */
export async function measure(
  browser: Browser,
  { url }: Service,
  person: Person | null,
  path: string,
  line: keyof typeof lines = 'usual',
): Promise<Measured> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 390, height: 844 } });
  if (person)
    await context.request.post('/api/auth/sign-in/email', {
      data: { email: person.email, password: person.password },
      headers: { origin: url },
    });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', { offline: false, uploadThroughput: 94_000, ...lines[line] });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(observe);
  await page.goto(path);
  await page.locator('h1').first().waitFor();
  await page.waitForTimeout(line === 'usual' ? 2_500 : 5_000);
  const measured = await page.evaluate(() => (globalThis as unknown as { measured: Measured }).measured);
  await context.close();
  return measured;
}

type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };

/** In the page: the largest paint, what moved, and how long tasks kept the page from answering. */
function observe() {
  const measured: Measured = { lcp: 0, cls: 0, blocking: 0, moved: [] };
  Object.assign(globalThis, { measured });
  const watch = (type: string, take: (entry: Shift) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry as Shift);
    }).observe({ type, buffered: true });
  watch('largest-contentful-paint', ({ startTime }) => (measured.lcp = startTime));
  watch('layout-shift', ({ value, sources }) => {
    measured.cls += value;
    const names = sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 90) : 'text'));
    measured.moved.push(`${value.toFixed(3)} ${names.join(' | ')}`);
  });
  watch('longtask', ({ duration }) => (measured.blocking += Math.max(0, duration - 50)));
}

/** Every page of a customer as a day at the studio fills it, those of a newcomer, and those of nobody. */
export async function phonePages(service: Service, day: Day): Promise<[string, Person | null][]> {
  const { ada, newcomer, bakery, running, conversation, endpoint } = day;
  const pages = customerPages;
  const mine = [
    pages.home,
    pages.jobs,
    pages.newJob,
    pages.concierge,
    pages.templates,
    pages.library,
    pages.brand,
    pages.usage,
    pages.plans,
    pages.keys,
    pages.webhooks,
    pages.members,
    pages.settings,
    pages.catalog,
    ...[bakery, running].map((id) => pages.job.replace(':id', id)),
    pages.conversation.replace(':id', conversation),
    pages.webhook.replace(':id', endpoint),
    `${pages.newJob}?family=design&type=logo`,
  ];
  const links = `/api/v1/jobs/${bakery}/review-links`;
  const { url } = await service.call('POST', links, ada.token, { name: 'Sign maker', can_comment: true });
  return [
    ...mine.map((path): [string, Person] => [path, ada]),
    ...[pages.home, pages.jobs, pages.usage, pages.plans, pages.brand].map((path): [string, Person] => [
      path,
      newcomer,
    ]),
    ...[pages.catalog, pages.signIn, pages.signUp, String(url)].map((path): [string, null] => [path, null]),
  ];
}
