import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

const script = `
  import { createLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)};
  const log = createLog('info');
  setInterval(() => log.info({ filler: 'x'.repeat(100_000) }, 'a line'), 5);
`;

test.runIf(process.platform === 'linux')(
  'a log that cannot be written does not end the process, and says afterwards how many lines were lost',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-log-'));
    const file = join(folder, 'log');
    // Limits file size to 100 KiB until the limit is lifted.
    const child = spawn(
      '/bin/bash',
      ['-c', 'ulimit -S -f 100; exec "$0" --input-type=module -e "$1" > "$2"', process.execPath, script, file],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    onTestFinished(async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    });
    await expect.poll(() => statSync(file).size).toBe(100 * 1024);
    await wait(500); // it goes on writing
    expect(child.exitCode).toBeNull();
    expect(spawnSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']).status).toBe(0);
    await expect.poll(() => readFileSync(file, 'utf8')).toMatch(/"lines":\d+,"msg":"log lines were lost/);
  },
);
