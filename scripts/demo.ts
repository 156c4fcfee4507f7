import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { operator, story } from './demo-story.ts';
import { progress } from './demo-tell.ts';

/** `npm run demo` starts a service and runs the story. Exits non-zero at an unexpected answer. */

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

async function startService(folder: string, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW: '127.0.0.1',
      OPERATOR_EMAIL: operator.email,
      OPERATOR_PASSWORD: operator.password,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    let shown = '';
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
      if (shown.includes('Create a job with its key')) resolve();
    });
    child.on('exit', (code) => reject(new Error(`The service ended with ${code}:\n${shown}`)));
  });
  child.removeAllListeners('exit');
  return child;
}

const began = Date.now();
const folder = await mkdtemp(join(tmpdir(), 'atelier-demo-'));
// Traversable, so that the database of a service running as root can live in it.
await chmod(folder, 0o711);
const port = await freePort();
const service = await startService(folder, port);
try {
  await story(`http://127.0.0.1:${port}`, folder);
  process.stdout.write(`\nDone: ${progress.steps} steps in ${((Date.now() - began) / 1000).toFixed(1)} s.\n`);
} catch (error) {
  process.stderr.write(`\nThe story broke: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  const ended = new Promise((resolve) => service.on('exit', resolve));
  service.kill('SIGTERM');
  await Promise.race([ended, wait(15_000, undefined, { ref: false })]);
  await rm(folder, { recursive: true, force: true });
}
