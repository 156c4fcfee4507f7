import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './stage.ts';
import { newJob } from './studio.ts';

const dist = join(import.meta.dirname, '../dist');
const assets = join(dist, 'assets');
const gzipped = (name: string) => statSync(join(assets, `${name}.gz`)).size / 1000;

/** What an app fetches before its first page: the scripts and styles that its HTML names. */
function firstLoad(app: 'customer' | 'desk') {
  const html = readFileSync(join(dist, `${app}.html`), 'utf8');
  const names = [...html.matchAll(/\/assets\/([\w-]+\.(?:js|css))/g)].map(([, name]) => name ?? '');
  const sum = (ending: string) =>
    names.filter((name) => name.endsWith(ending)).reduce((kilobytes, name) => kilobytes + gzipped(name), 0);
  return { scripts: sum('.js'), styles: sum('.css'), names };
}

for (const app of ['customer', 'desk'] as const)
  test(`${app}: the first scripts and styles stay within the budget`, () => {
    const { scripts, styles } = firstLoad(app);
    test
      .info()
      .annotations.push({ type: 'size', description: `${app}: ${scripts.toFixed(0)} kB, ${styles.toFixed(0)} kB` });
    process.stdout.write(`  ${app}: first scripts ${scripts.toFixed(1)} kB, styles ${styles.toFixed(1)} kB gz\n`);
    expect(scripts).toBeLessThanOrEqual(205);
    expect(styles).toBeLessThanOrEqual(38);
  });

test('no page adds more than 15 kB', () => {
  const first = new Set([...firstLoad('customer').names, ...firstLoad('desk').names]);
  const large = readdirSync(assets)
    .filter((name) => name.endsWith('.js') && !first.has(name) && name !== 'scheme.js')
    .filter((name) => gzipped(name) > 15);
  expect(large).toEqual([]);
});

type Vitals = { lcp: number; cls: number; blocking: number };

async function measure(page: Page, path: string): Promise<Vitals> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  // Slow 4G, a phone's processor.
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(() => {
    const seen = { lcp: 0, cls: 0, blocking: 0 };
    Object.assign(window, { seen });
    const watch = (
      type: string,
      take: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
    ) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
    watch('largest-contentful-paint', ({ startTime }) => (seen.lcp = startTime));
    watch('layout-shift', ({ value = 0, hadRecentInput }) => (seen.cls += hadRecentInput ? 0 : value));
    watch('longtask', ({ duration }) => (seen.blocking += Math.max(0, duration - 50)));
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.waitForTimeout(500);
  return page.evaluate(() => (window as unknown as { seen: Vitals }).seen);
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test('the list of jobs is quick on slow 4G with a slow processor', async ({ service, customer, openAs }) => {
  test.slow();
  for (let n = 0; n < 10; n++) await newJob(service, customer);
  const runs: Vitals[] = [];
  for (let n = 0; n < 3; n++) runs.push(await measure(await openAs(customer), '/jobs'));
  const lcp = median(runs.map((run) => run.lcp));
  const cls = median(runs.map((run) => run.cls));
  const blocking = median(runs.map((run) => run.blocking));
  process.stdout.write(`  LCP ${lcp.toFixed(0)} ms, CLS ${cls.toFixed(3)}, blocking ${blocking.toFixed(0)} ms\n`);
  expect(lcp).toBeLessThanOrEqual(2_500);
  expect(cls).toBeLessThanOrEqual(0.02);
  expect(blocking).toBeLessThanOrEqual(200);
});
