import { once } from 'node:events';
import { readConfig } from '../../server/start/config.ts';
import { createContext } from '../../server/start/context.ts';
import { loadCatalog } from '../../server/catalog/load-catalog.ts';
import { migrate } from '../../server/db/migrate.ts';
import { startEmbeddedPostgres } from '../../server/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../../server/lib/log.ts';
import { openStripeEmulator } from '../../scripts/stripe-emulator.ts';
import { callsTo, environment, type Service } from '../support/harness.ts';
import { makeKey, makeOperator, signUp, type TestPerson } from '../support/people.ts';
import { insertPlan, type PlanState } from '../support/seed.ts';
import { openMailbox } from './mailbox.ts';
import { ask } from './postgres.ts';
import { searchWorld } from './evidence.ts';
import { freePort, openFolder, removeFolder, root, run, type Run, untilServing } from './process.ts';

/** A process of the service at a fixed address, which can be killed and started again. */
export type ServiceProcess = {
  url: string;
  /** The process that runs now, or ran last. */
  run(): Run;
  isAlive(): boolean;
  /** Starts it, and waits until it answers. */
  start(): Promise<void>;
  /** Sends a signal, and waits for the end. Returns the exit code or the signal. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
  /** All that it wrote in its lives. */
  said(): string;
};

/** Two processes in production form on a Postgres of their own, which loses no commit unless `postgres` says so. */
export type World = {
  folder: string;
  databaseUrl: string;
  /** Of both processes and of the command line. */
  env: Record<string, string>;
  first: ServiceProcess;
  second: ServiceProcess;
  /** The first process, for the functions of `test/support`. */
  service: Service;
  /** The rows of one statement, as superuser. */
  // oxlint-disable-next-line typescript/no-explicit-any
  ask(statement: string, values?: unknown[]): Promise<any[]>;
  /** Secrets that were handed out, by what they are. */
  minted: Map<string, string>;
  /** Aborts when the world ends: no load outlives it. */
  closing: AbortSignal;
  close(): Promise<void>;
};

export type Customer = { person: TestPerson; key: string };

type Terms = {
  /** Settings of Postgres. */
  postgres?: Record<string, string>;
  env?: Record<string, string>;
  /** What the processes run instead of the service. */
  programs?: readonly [readonly string[], readonly string[]];
  /** Where the data of Postgres and of the service is; a new folder by default. */
  folder?: string;
};

export const service = ['--max-semi-space-size=8', 'server/main.ts'] as const;

/** The program of a variant that is broken on purpose. */
export const broken = (name: string): string[] => [`test/faults/broken/${name}.ts`];

const webhookSecret = 'whsec_0123456789abcdefghijklmnopqrstuv';

export async function openWorld({
  postgres = {},
  env = {},
  programs = [service, service],
  folder,
}: Terms = {}): Promise<World> {
  const home = folder ?? (await openFolder());
  const database = await startEmbeddedPostgres(home, () => {}, postgres);
  await migrate(database.url);
  const mailbox = await openMailbox();
  const stripe = await openStripeEmulator([...loadCatalog(`${root}/catalog`).plans.values()]);
  const ports = [await freePort(), await freePort()] as const;
  const { PATH = '', HOME = '' } = process.env;
  const shared: Record<string, string> = {
    PATH,
    HOME,
    ...environment,
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    DATABASE_URL: database.url,
    DATA_DIR: home,
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    SMTP_URL: mailbox.url,
    STRIPE_API_URL: stripe.url,
    STRIPE_SECRET_KEY: 'sk_test_emulated',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    ...env,
  };
  const first = processAt(ports[0], shared, programs[0]);
  const second = processAt(ports[1], shared, programs[1]);
  const config = readConfig({ ...shared, DATABASE_POOL: '4' });
  const context = await createContext({ ...config, publicUrl: first.url }, database.url, createLog('silent'));
  const closing = new AbortController();
  const close = async () => {
    closing.abort();
    await Promise.all([first, second].filter(({ isAlive }) => isAlive()).map(({ end }) => end('SIGKILL')));
    context.state.draining = true;
    await context.close();
    await stripe.close();
    await mailbox.close();
    await database.stop();
    if (folder === undefined) await removeFolder(home);
  };
  try {
    await Promise.all([first.start(), second.start()]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    folder: home,
    databaseUrl: database.url,
    env: shared,
    first,
    second,
    service: { url: first.url, databaseUrl: database.url, context, emails: [], call: callsTo(first.url), close },
    ask: (statement, values) => ask(home, statement, values),
    minted: new Map(
      ['SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY'].map((name) => [name, shared[name] ?? '']),
    ),
    closing: closing.signal,
    close,
  };
}

/** Opens a world for `use`, searches all that it wrote for secrets, and closes it whatever happens. */
export async function withWorld<Result>(terms: Terms, use: (world: World) => Promise<Result>): Promise<Result> {
  const world = await openWorld(terms);
  try {
    const result = await use(world);
    await searchWorld(world);
    return result;
  } finally {
    await world.close();
  }
}

function processAt(port: number, env: Record<string, string>, program: readonly string[]): ServiceProcess {
  const url = `http://127.0.0.1:${port}`;
  let lives: Run[] = [];
  const last = () => {
    const [life] = lives.slice(-1);
    if (!life) throw new Error('The process was never started.');
    return life;
  };
  const isAlive = () => lives.length > 0 && last().child.exitCode === null && last().child.signalCode === null;
  return {
    url,
    run: last,
    isAlive,
    async start() {
      lives = [...lives, run({ ...env, PORT: String(port) }, { program })];
      const { child } = last();
      const kill = () => child.kill('SIGKILL');
      process.once('exit', kill);
      child.once('exit', () => process.off('exit', kill));
      await untilServing(url, last());
    },
    async end(signal) {
      const { child, ended } = last();
      if (!isAlive()) return ended;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
      return child.exitCode ?? child.signalCode;
    },
    said: () => lives.map((life) => life.said()).join(''),
  };
}

/** A plan that does not run out, unless `plan` says so, and a key. */
export async function newCustomer(
  { service, minted }: Pick<World, 'service' | 'minted'>,
  plan: Partial<PlanState> = {},
): Promise<Customer> {
  const person = await signUp(service);
  const endless = { access_kind: 'both', status: 'active', quota: 1_000_000, concurrency_limit: 1_000_000 } as const;
  await insertPlan(service.context.db, person.accountId, 'studio', { ...endless, endsIn: 30 * 1_440, ...plan });
  const key = await makeKey(service, person);
  const nth = ` ${minted.size}`;
  minted.set(`key${nth}`, key).set(`session${nth}`, signatureOf(person.token)).set(`csrf token${nth}`, person.csrf);
  return { person, key };
}

/** A session is stored without the signature that makes a credential of it. */
const signatureOf = (token: string): string => token.split('.')[1] ?? '';

/** As `test/support` knows it. */
export async function newStudio(world: Pick<World, 'service' | 'minted'>) {
  const { person: ada, key } = await newCustomer(world);
  const operator = await makeOperator(world.service);
  world.minted.set(`session of an operator ${world.minted.size}`, signatureOf(operator.token));
  return { service: world.service, ada, key, operator };
}
