import { spawn } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Service = {
  port: number;
  /** A key of the demo account. */
  key: string;
  databaseUrl: string;
  close(): Promise<void>;
};

/** The service as `npm start` runs it, on a database of its own, with plans and rates that a benchmark does not use up. */
export async function startService(): Promise<Service> {
  const port = 3900 + Math.floor(Math.random() * 90);
  const folder = await mkdtemp(join(tmpdir(), 'atelier-bench-'));
  await chmod(folder, 0o711);
  const catalog = join(folder, 'catalog');
  await cp(join(import.meta.dirname, '../catalog'), catalog, { recursive: true });
  const plans = await readFile(join(catalog, 'plans.yaml'), 'utf8');
  const endless = plans.replaceAll(/(quota|concurrency_limit): \d+/g, '$1: 100000000');
  await writeFile(join(catalog, 'plans.yaml'), endless);
  const service = spawn(process.execPath, ['server/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      CATALOG_DIR: catalog,
      RATE_CREATE_JOB: 'account=100000000/60,key=100000000/60',
      RATE_BAD_CREDENTIAL: 'address=100000000/60',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let shown = '';
  await new Promise<void>((resolve, reject) => {
    service.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
      if (shown.includes('Create a job with its key')) resolve();
    });
    service.on('exit', (code) => reject(new Error(`The service ended with ${code}:\n${shown}`)));
  });
  service.removeAllListeners('exit');
  return {
    port,
    key: await readFile(join(folder, 'demo-key'), 'utf8'),
    databaseUrl: `postgres://atelier@localhost/atelier?host=${encodeURIComponent(join(folder, 'postgres/socket'))}`,
    async close() {
      const ended = new Promise((resolve) => service.on('exit', resolve));
      service.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
