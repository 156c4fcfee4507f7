import type { FastifyInstance } from 'fastify';
import { Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ensureOperator } from './desk/operators/ensure-operator.ts';
import { isWeakPassword } from './sign-in/weak-password.ts';
import { createApp } from './app.ts';
import { verifyPrices } from './billing/verify-prices.ts';
import { startScheduledTasks } from './scheduled-tasks.ts';
import { type Config, operatorOf, readConfig } from './start/config.ts';
import { connectionsOf } from './start/connections.ts';
import { type Context, createContext } from './start/context.ts';
import { checkDatabase } from './db/check-database.ts';
import type { Queue } from './db/queue.ts';
import { otherInstances } from './db/pool.ts';
import { type EmbeddedPostgres, isEmbedded, startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts';
import { refuseUnreadableSecrets } from './start/stored-secrets.ts';
import { prepareFolders } from './files/create-storage.ts';
import { copyWords } from './lib/html.ts';
import { createLog, endLog, flushLog, terminalStream } from './lib/log.ts';
import { migrate } from './db/migrate.ts';
import { migrationNames } from './db/migration-files.ts';
import { endTracing, startTracing } from './lib/trace.ts';
import { version } from './lib/version.ts';
import { DeliveryEngine } from './webhooks/delivery-engine.ts';
import { giveUp, waitFor } from './start/wait-for.ts';
import { welcome, whyNoAddress } from './start/welcome.ts';

/**
 * Milliseconds after a signal. In production the process serves on for `leaveFor`, and `/readyz` answers 503,
 * because a proxy that looks every two seconds sends requests here until then.
 */
const leaveFor = 3_000;
const endAfter = 10_000;

/** Milliseconds after the end of serving until connections close, and requests are cut off. */
const drainFor = 1_000;
const cutOffAfter = 6_000;

/** Ctrl-C signals this process directly and through npm, which counts as one signal. */
const sameSignalWithin = 1_000;

/** As many as Linux allows. Connections beyond Node's 511 would retry after seconds. */
const backlog = 4_096;

const print = (line: string) => void process.stdout.write(`${line}\n`);

type Running = {
  config: Config;
  stopping: boolean;
  postgres: EmbeddedPostgres | null;
  log: Logger | null;
  context: Context | null;
  /** False: the operator keeps an earlier password. */
  passwordHolds: boolean;
  app: FastifyInstance | null;
  origin: string | null;
  tasks: Queue | null;
  deliveries: DeliveryEngine | null;
};

const databaseUrlOf = ({ config, postgres }: Running) => postgres?.url ?? config.databaseUrl ?? '';
const directUrlOf = (running: Running) => running.config.databaseDirectUrl ?? databaseUrlOf(running);

async function openPostgres(running: Running): Promise<void> {
  const { databaseUrl, dataDir } = running.config;
  if (databaseUrl !== null) return;
  // It gives up if Postgres does not answer, and waits as long as Postgres recovers.
  running.postgres = await startEmbeddedPostgres(dataDir, print);
}

async function checkServer(running: Running): Promise<void> {
  const { config } = running;
  const needs = {
    connections: connectionsOf(config).direct,
    durable: config.production,
    poolerUrl: config.databaseDirectUrl === null ? null : config.databaseUrl,
  };
  let isFirst = true;
  await waitFor('Postgres', (progress) =>
    checkDatabase(directUrlOf(running), needs, () => {
      progress();
      if (isFirst) print('Postgres starts or recovers. Atelier waits for it.');
      isFirst = false;
      return !running.stopping;
    }),
  );
}

async function migrateDatabase(running: Running): Promise<void> {
  const done = await migrate(directUrlOf(running), print);
  if (done.length > 0) print(`Database migrated: ${done.join(', ')}`);
}

async function prepareContext(running: Running): Promise<void> {
  const { config } = running;
  const terminal = process.stdout.isTTY && !config.production;
  const log = createLog(config.logLevel, terminal ? await terminalStream() : undefined);
  running.log = log;
  if (config.traces) await startTracing(log);
  const schema = (await migrationNames()).at(-1);
  log.info({ version, schema }, `Atelier ${version} starts and opens at most ${connectionsOf(config).words}`);
  const context = await waitFor('Postgres and Redis', () => createContext(config, databaseUrlOf(running), log));
  running.context = context;
  for (const words of [...(context.isCopy ? [copyWords] : []), ...config.environment.misspelled()]) log.warn(words);
  const operator = operatorOf(config);
  if (operator) running.passwordHolds = await ensureOperator(context, operator);
  if (config.operator && isWeakPassword(config.operator.password, config.operator))
    log.warn('OPERATOR_PASSWORD is easy to guess: production refuses it');
  await refuseUnreadableSecrets(context.db, config.secretKeys);
  await waitFor('the storage', () => prepareFolders(config));
  await waitFor('the storage', () => context.storageWatch.start());
  await waitFor('the prices of the payment provider', () => verifyPrices(context));
  if (config.production && !context.provider.livemode)
    log.warn('STRIPE_SECRET_KEY is a test mode key: plans cost nothing, and events about real money are ignored');
  const tags = await otherInstances(context.db);
  if (config.redisUrl === null && tags.length > 0)
    log.warn('another process serves this database: without REDIS_URL each process counts rates for itself');
  if (tags.some((tag) => !context.signer.fingerprints.includes(tag)))
    log.warn('another process serves this database with another SECRET_KEY: each may refuse sessions of the other');
}

async function listen(running: Running): Promise<void> {
  const { config, context } = running;
  if (!context) return;
  const app = await createApp(context);
  app.addHook('preClose', () => drainConnections(app));
  running.app = app;
  running.origin = await app.listen({ host: config.host, port: config.port, backlog }).catch((error: Error) => {
    throw new Error(whyNoAddress(error, config), { cause: error });
  });
  const leaveStuck = (reason: string) => void leave(running, reason, 1);
  running.tasks = startScheduledTasks(context, directUrlOf(running), config.production ? leaveStuck : null);
  running.deliveries = new DeliveryEngine(context);
  context.mailSender.start();
}

/** Does not cut off idle connections, as Node would: a request may be on its way. */
async function drainConnections(app: FastifyInstance): Promise<void> {
  Server.prototype.close.call(app.server);
  const open = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));
  for (const until = performance.now() + drainFor; performance.now() < until && (await open()) > 0;) await wait(20);
  // Busy connections become idle later.
  setInterval(() => app.server.closeIdleConnections(), 100).unref();
}

/** Stops in order: new connections and tasks, running requests, database, embedded Postgres. */
async function close({ app, context, tasks, deliveries, postgres }: Running): Promise<void> {
  if (app) setTimeout(() => app.server.closeAllConnections(), cutOffAfter).unref();
  await Promise.all([
    app?.close(),
    tasks?.stop(),
    deliveries?.stop(),
    context?.mailSender.stop(),
    context?.databaseWatch.stop(),
  ]);
  await context?.close();
  await Promise.all([postgres?.stop(), endTracing()]);
}

const steps = [
  ['postgres', openPostgres],
  ['server', checkServer],
  ['migrations', migrateDatabase],
  ['context', prepareContext],
  ['routes', listen],
] as const;

/** Logs how many milliseconds each step took. */
async function open(running: Running): Promise<void> {
  const ms: Record<string, number> = { modules: Math.round(performance.now()) };
  for (const [name, step] of steps) {
    if (running.stopping) return;
    const began = performance.now();
    await step(running);
    ms[name] = Math.round(performance.now() - began);
  }
  running.log?.info({ ms }, 'started');
}

/** `opened`: settles once nothing more is opened that has to be closed. */
async function leave(running: Running, reason: string, code: number, opened = Promise.resolve()): Promise<void> {
  if (running.stopping) return;
  running.stopping = true;
  setTimeout(() => process.exit(1), endAfter).unref();
  if (running.context) running.context.state.draining = true;
  const isLeaving = running.config.production && running.app !== null;
  const plan = isLeaving ? 'not ready any more, serving on' : 'finishing requests';
  running.context?.log[code === 0 ? 'info' : 'fatal'](`${reason}: ${plan}`);
  await opened.catch(() => {});
  if (isLeaving) await wait(leaveFor);
  await close(running);
  if (running.log) await endLog(running.log, drainFor);
  process.exit(code);
}

function stopOnSignal(running: Running, opened: Promise<void>): void {
  let signaledAt = -Infinity;
  const stop = (signal: string) => {
    if (performance.now() - signaledAt < sameSignalWithin) return;
    // The first one may come while the process is already leaving.
    if (running.stopping && signaledAt > -Infinity) process.exit(1);
    signaledAt = performance.now();
    void leave(running, signal, 0, opened);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop);
}

async function start(): Promise<void> {
  const running: Running = {
    config: readConfig(process.env),
    stopping: false,
    postgres: null,
    log: null,
    context: null,
    passwordHolds: false,
    app: null,
    origin: null,
    tasks: null,
    deliveries: null,
  };
  // The order matters: signals must be handled before Postgres starts.
  const opened = Promise.resolve(running).then(open);
  stopOnSignal(running, opened);
  await opened.catch(async (error: unknown) => {
    if (running.stopping) return;
    running.stopping = true;
    setTimeout(() => giveUp(error), endAfter).unref();
    await close(running);
    giveUp(error);
  });
  await greet(running);
}

/** Printed after the log lines of the start. A failing demo account costs only this screen. */
async function greet({ config, stopping, log, context, passwordHolds, origin, postgres }: Running): Promise<void> {
  if (stopping || !log || !context || origin === null || config.production) return;
  const embedded = isEmbedded(postgres?.url ?? config.databaseUrl ?? '');
  const shown = { origin, embedded, operator: operatorOf(config), passwordHolds };
  const screen = await welcome(context, shown).catch((error: unknown) => {
    log.warn({ err: error }, 'the demo account is not ready');
    return `\nAtelier is listening at ${context.publicUrl}\n`;
  });
  await flushLog(log);
  print(screen);
}

// A closed terminal must not stop the service.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
await start().catch(giveUp);
