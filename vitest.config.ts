import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Needs a real Redis: `npm run test:redis`.
    exclude: process.env.REDIS_URL ? [] : ['test/redis/**'],
    include: ['server/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    globalSetup: 'test/support/postgres.ts',
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
