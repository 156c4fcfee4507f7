import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { isAlive } from '../../server/embedded-postgres/orphans.ts';
import { postmasterOf } from '../../test/faults/postgres.ts';
import { freePort } from './start-service.ts';

/** When the process of the service was started, in seconds; 0 while it does not answer. */
async function startOf(url: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`).catch(() => null);
  return Number(/^process_start_time_seconds (\d+)/m.exec((await answer?.text()) ?? '')?.[1] ?? 0);
}

test('npm run dev shows the pages and answers for the service at one address', async ({ page }) => {
  test.slow();
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-dev-'));
  chmodSync(dataDir, 0o711); // Postgres has a user of its own where root runs this
  const port = await freePort();
  const dev = spawn(process.execPath, ['web/build/dev.ts'], {
    stdio: 'ignore',
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
  });
  const ended = once(dev, 'exit');
  const url = `http://localhost:${port}`;
  try {
    await expect
      .poll(
        () =>
          fetch(`${url}/readyz`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 50_000 },
      )
      .toBe(200);
    await page.goto(`http://127.0.0.1:${port}/sign-in`);
    await expect(page).toHaveURL(`${url}/sign-in`);
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible({ timeout: 30_000 });
    expect((await page.request.post(`${url}/mcp`, { data: {} })).status()).toBe(401);
    expect((await page.request.get(`${url}/docs/`)).status()).toBe(200);

    const postmaster = postmasterOf(dataDir) ?? 0;
    const service = `http://127.0.0.1:${port + 1}`;
    const before = await startOf(service);
    utimesSync('server/main.ts', new Date(), new Date());
    await expect.poll(() => startOf(service), { timeout: 30_000 }).toBeGreaterThan(before);
    expect([postmasterOf(dataDir), isAlive(postmaster)]).toEqual([postmaster, true]);

    dev.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect([isAlive(postmaster), await startOf(service)]).toEqual([false, 0]);
  } finally {
    if (dev.exitCode === null) dev.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
});
