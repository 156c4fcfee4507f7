import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { readConfig } from '../../server/start/config.ts';
import { createContext } from '../../server/start/context.ts';
import { createLog } from '../../server/lib/log.ts';
import { newCustomer as customerWith } from '../support/jobs.ts';
import { signIn, type TestPerson } from '../support/people.ts';
import { callsTo, environment, type Service } from '../support/harness.ts';
import { ask, signalPostgres, urlOf } from './postgres.ts';
import { freePort, openFolder, removeFolder, run, type Run, untilServing } from './process.ts';

/** A service as a process with an embedded Postgres of its own, whose data survives restarts at the same url. */
export type Faulty = Service & {
  folder: string;
  run: Run;
  /** Ends what still runs, and starts it again on the same data. */
  restart(): Promise<void>;
};

export async function createFaultyService(env: Record<string, string | undefined> = {}): Promise<Faulty> {
  const [folder, port] = [await openFolder(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const given = { LOG_LEVEL: 'warn', ...env, DATA_DIR: folder, PORT: String(port) };
  const databaseUrl = urlOf(folder);
  const start = async () => {
    const running = run(given);
    await untilServing(url, running).catch(async (error: unknown) => {
      running.child.kill('SIGKILL');
      throw error;
    });
    return running;
  };
  const first = await start();
  // The tests look at the same service from outside: same database, same secrets.
  const config = readConfig({ ...environment, ...given, DATABASE_URL: databaseUrl, DATABASE_POOL: '4' });
  const context = await createContext({ ...config, publicUrl: url }, databaseUrl, createLog('silent'));
  const faulty: Faulty = {
    url,
    databaseUrl,
    context,
    emails: [],
    call: callsTo(url),
    folder,
    run: first,
    async restart() {
      await end(faulty.run, 'SIGKILL');
      faulty.run = await start();
    },
    async close() {
      await context.close();
      const hanging = setTimeout(() => faulty.run.child.kill('SIGKILL'), 12_000);
      await end(faulty.run, 'SIGTERM');
      clearTimeout(hanging);
      try {
        signalPostgres(folder, 'SIGKILL');
      } catch {
        // It ended with the service.
      }
      await removeFolder(folder);
    },
  };
  return faulty;
}

export async function end({ child }: Run, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

export type Customer = { person: TestPerson; key: string };

/** The demo account, which the start made: at its key and password, with a plan that does not run out. */
export async function demoCustomer(service: Faulty): Promise<Customer> {
  const kept = (name: string) => readFile(join(service.folder, name), 'utf8');
  await vi.waitFor(() => expect(service.run.said()).toContain('demo account'), { timeout: 90_000 });
  const person = await signIn(service, 'demo@atelier.localhost', await kept('demo-password'));
  return lift(service, { person, key: await kept('demo-key') });
}

/** Somebody else, likewise. */
export const newCustomer = async (service: Faulty): Promise<Customer> =>
  lift(service, await customerWith(service, 'studio'));

async function lift(service: Faulty, customer: Customer): Promise<Customer> {
  await ask(
    service.folder,
    'update entitlements set quota = 100000, concurrency_limit = 100000 where account_id = $1',
    [customer.person.accountId],
  );
  return customer;
}

/**
 * What must hold after any fault: every acknowledged job is there, each key made exactly one, and usage, counters and
 * events agree with the jobs. `made`: the job that each key was answered.
 */
export async function expectBooksToAgree(service: Faulty, { person }: Customer, made: Map<string, string>) {
  const of = [person.accountId];
  const jobs = await ask(service.folder, `select id from jobs where account_id = $1`, of);
  const kept = await ask(
    service.folder,
    `select key, answer->'job'->>'id' as id from idempotency_keys where account_id = $1 and route = 'POST /api/v1/jobs'`,
    of,
  );
  expect(new Map(kept.map(({ key, id }) => [key, id]))).toEqual(made);
  expect(jobs.length).toBe(made.size);
  expect(new Set(made.values()).size).toBe(made.size);
  const [counts] = await ask(
    service.folder,
    `select
      (select active_jobs from account_counters where account_id = $1) as active,
      (select sum(quantity)::int from usage_ledger where account_id = $1) as charged,
      (select sum(p.used)::int from entitlement_periods p join entitlements e on e.id = p.entitlement_id
        where e.account_id = $1) as used,
      (select count(*)::int from events v join jobs j on j.id = v.job_id
        where j.account_id = $1 and v.job_seq = 1 and v.type = 'job.created') as begun`,
    of,
  );
  const n = made.size;
  expect(counts).toEqual({ active: n, charged: n, used: n, begun: n });
}
