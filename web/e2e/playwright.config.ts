import { defineConfig } from '@playwright/test';
import { chromium } from './chromium.ts';

/** The built pages on the real service, in Debian's Chromium. What fails now and then is a fault: `.ci/run` names it as flaky. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../.data/test-web',
  // Two leave a quarter of two cores idle: some tests wait.
  workers: 3,
  // One worker would walk the longest file alone.
  fullyParallel: true,
  retries: Number(process.env.TEST_RETRIES ?? 0),
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  forbidOnly: true,
  use: {
    launchOptions: chromium,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'on-first-retry',
  },
});
