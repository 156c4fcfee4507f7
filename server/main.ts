import type { FastifyInstance } from 'fastify';
import { ensureOperator } from './accounts/ensure-operator.ts';
import { openApp } from './app.ts';
import { verifyPrices } from './billing/verify-prices.ts';
import { openClock } from './clock.ts';
import { type Config, keptSecret, readConfig } from './config.ts';
import { type House, openHouse } from './house.ts';
import type { Clock } from './kit/clock.ts';
import { hasNeighbour, openDb } from './kit/db.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './kit/embedded-postgres.ts';
import { openLog } from './kit/log.ts';
import { migrate } from './kit/migrate.ts';
import { welcome } from './welcome.ts';

/** Milliseconds after a signal: what still runs then is cut off, and whatever hangs ends with the process. */
const cutOffAfter = 8_000;
const endAfter = 10_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function migrateDatabase(url: string): Promise<void> {
  const db = openDb(url, 1, () => {});
  const done = await migrate(db);
  await db.destroy();
  if (done.length > 0) say(`Database migrated: ${done.join(', ')}`);
}

/** The operator of the configuration; outside production there is one without it, whose password is kept under DATA_DIR. */
function operatorOf({ operator, production, dataDir }: Config) {
  if (operator || production) return operator;
  return { email: 'operator@atelier.localhost', password: keptSecret(dataDir, 'operator-password') };
}

type Running = { app: FastifyInstance; house: House; clock: Clock | null; postgres: EmbeddedPostgres | null };

/** Stops in order: no new connections and tasks, what runs finishes, then the database; the embedded Postgres last. */
function stopOnSignal(running: Running): void {
  const { app, house, postgres } = running;
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    house.state.draining = true;
    house.log.info(`${signal}: finishing what runs`);
    setTimeout(() => app.server.closeAllConnections(), cutOffAfter).unref();
    setTimeout(() => process.exit(1), endAfter).unref();
    await Promise.all([app.close(), running.clock?.stop()]);
    house.rates.close();
    await house.db.destroy();
    await postgres?.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop(signal));
}

async function start(config: Config, postgres: EmbeddedPostgres | null): Promise<void> {
  const log = openLog(config.logLevel);
  const databaseUrl = postgres?.url ?? config.databaseUrl ?? '';
  await migrateDatabase(databaseUrl);
  const shownHost = config.host.includes(':') ? `[${config.host}]` : config.host;
  const house = openHouse(config, databaseUrl, config.publicUrl ?? `http://${shownHost}:${config.port}`, log);
  const operator = operatorOf(config);
  if (operator) await ensureOperator(house, operator);
  await verifyPrices(house);
  if (config.redisUrl === null && (await hasNeighbour(house.db)))
    log.warn('another process serves this database: without REDIS_URL each counts rates for itself');
  const app = await openApp(house);
  const running: Running = { app, house, clock: null, postgres };
  stopOnSignal(running);
  const origin = await app.listen({ host: config.host, port: config.port });
  running.clock = openClock(house, databaseUrl);
  if (!config.production) await welcome(house, { origin, embedded: postgres !== null, operator, say });
}

function giveUp(error: unknown): never {
  process.stderr.write(`Atelier did not start. ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

try {
  const config = readConfig(process.env);
  const postgres = config.databaseUrl === null ? await startEmbeddedPostgres(config.dataDir, say) : null;
  await start(config, postgres).catch(async (error: unknown) => {
    await postgres?.stop();
    giveUp(error);
  });
} catch (error) {
  giveUp(error);
}
