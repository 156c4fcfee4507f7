import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { operator } from './demo-story.ts';

export const freePort = () =>
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
      if (shown.includes('is listening at')) resolve();
    });
    child.on('exit', (code) => reject(new Error(`The service ended with ${code}. ${shown}`)));
  });
  child.removeAllListeners('exit');
  return child;
}

/** A service on an embedded database of its own. `after` runs once it has stopped, in the same folder. */
export async function withDemoService(
  use: (url: string, folder: string) => Promise<void>,
  after: (folder: string) => Promise<void> = async () => {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-demo-'));
  // Traversable, so that the database of a service running as root can live in it.
  await chmod(folder, 0o711);
  try {
    const port = await freePort();
    const service = await startService(folder, port);
    const ended = new Promise((resolve) => service.on('exit', resolve));
    try {
      await use(`http://localhost:${port}`, folder);
    } finally {
      service.kill('SIGTERM');
      await Promise.race([ended, wait(15_000, undefined, { ref: false })]);
    }
    await after(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
