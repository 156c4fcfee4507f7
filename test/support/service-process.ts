import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../../server/lib/log.ts';
import { readConfig } from '../../server/start/config.ts';
import { createContext } from '../../server/start/context.ts';
import { type Asks, asksTo } from '../faults/load.ts';
import { openFolder, removeFolder, run, type Run } from '../faults/process.ts';
import { callsTo, environment } from './harness.ts';
import { newCustomer } from './jobs.ts';

/** The service as a process on a Postgres of the test's, with a customer whose plan does not run out. */
export type ServiceProcess = {
  url: string;
  folder: string;
  key: string;
  run: Run;
  asks: Asks;
  stop(): Promise<void>;
};

/** `postgresUrl`: where the test reaches the database that the service has by `env`. */
export async function startServiceProcess(env: Record<string, string>, postgresUrl: string): Promise<ServiceProcess> {
  const folder = await openFolder();
  const running = run({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'info', ...env });
  const url = await addressOf(running);
  const asks = asksTo(url);
  return {
    url,
    folder,
    key: await makeCustomer(url, folder, postgresUrl),
    run: running,
    asks,
    async stop() {
      asks.close();
      running.child.kill('SIGTERM');
      await running.ended;
      await removeFolder(folder);
    },
  };
}

/** Where it serves: a port of its own, which no other test can have meanwhile. */
export async function addressOf({ child, said }: Run): Promise<string> {
  for (const giveUp = performance.now() + 120_000; performance.now() < giveUp; await sleep(20)) {
    const [, address] = /Server listening at (http:[^"]+)"/.exec(said()) ?? [];
    if (address !== undefined) return address;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It ended at its start.\n${said()}`);
  }
  child.kill('SIGKILL');
  throw new Error(`It does not serve.\n${said()}`);
}

/** `env`: settings that the process has, too. */
export async function makeCustomer(
  url: string,
  folder: string,
  postgresUrl: string,
  env: Record<string, string> = {},
): Promise<string> {
  const config = readConfig({
    ...environment,
    DATA_DIR: folder,
    DATABASE_URL: postgresUrl,
    DATABASE_POOL: '2',
    ...env,
  });
  const publicUrl = url;
  const context = await createContext({ ...config, publicUrl }, config.databaseUrl ?? postgresUrl, createLog('silent'));
  const service = { url, databaseUrl: postgresUrl, context, emails: [], call: callsTo(url), close: async () => {} };
  const { key } = await newCustomer(service, 'studio');
  await context.db.updateTable('entitlements').set({ quota: 100_000, concurrency_limit: 100_000 }).execute();
  await context.close();
  return key;
}
