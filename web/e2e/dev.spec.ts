import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { freePort } from './start-service.ts';

test('npm run dev shows the pages and answers for the service at one address', async ({ page }) => {
  test.slow();
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-dev-'));
  const port = await freePort();
  const dev = spawn(process.execPath, ['web/build/dev.ts'], {
    stdio: 'ignore',
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
  });
  const ended = once(dev, 'exit');
  const url = `http://127.0.0.1:${port}`;
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
    await page.goto(`${url}/sign-in`);
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible({ timeout: 30_000 });
    expect((await page.request.post(`${url}/mcp`, { data: {} })).status()).toBe(401);
    expect((await page.request.get(`${url}/docs/`)).status()).toBe(200);
  } finally {
    dev.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
});
