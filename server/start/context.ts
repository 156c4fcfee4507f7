import type { FastifyBaseLogger } from 'fastify';
import { join } from 'node:path';
import type pg from 'pg';
import type { RateName } from '../../contract/rates.ts';
import { type Auth, createAuth } from '../sign-in/auth.ts';
import { settleCopy } from '../backup/copy.ts';
import { createProvider } from '../billing/create-provider.ts';
import { type Provider, readOnly } from '../billing/provider.ts';
import { WebhookSignatures } from '../billing/webhook-signatures.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from './config.ts';
import { createJobParts, type JobParts } from './job-parts.ts';
import { ServedCatalog } from '../publishing/served-catalog.ts';
import { hasUsablePlan } from '../entitlements/entitlement.ts';
import { type Places, placesOf, storageIn } from '../files/places.ts';
import { storageTag } from '../files/storage-config.ts';
import { createPosterUrl } from '../files/poster-url.ts';
import { createRemoveFilesOf, type RemoveFilesOf } from '../files/remove-files-of.ts';
import type { Storage } from '../files/storage.ts';
import { type StorageWatch, watchStorage } from '../files/storage-watch.ts';
import { createHub, type Hub } from '../events/hub.ts';
import { createLogReader, type ReadLog } from '../events/event.ts';
import { createUnloggedChanges, type ReadUnloggedChanges } from '../events/unlogged-changes.ts';
import { createStreams, type Streams } from '../http/event-stream.ts';
import { createWaits, type Waits } from '../http/waits.ts';
import { migrationNames } from '../db/migration-files.ts';
import { buildOf } from '../pages/serve-pages.ts';
import { readSkill, type Skill } from '../mcp/skill.ts';
import { type Chapter, readGuide } from '../reference/guide.ts';
import { type Openapi, createOpenapi } from '../reference/read-openapi.ts';
import { root } from '../lib/places.ts';
import { deadlines, type StoreDeadlines } from '../lib/deadlines.ts';
import { Loops } from '../lib/loops.ts';
import { type Db, dbOn, createPool } from '../db/pool.ts';
import { DatabaseWatch } from '../db/watch-database.ts';
import { createModel, type Model } from '../model/model.ts';
import { MailSender } from '../mail/mail-sender.ts';
import { createMailbox, type Mailbox } from '../mail/mailbox.ts';
import { createTransport, type Transport } from '../mail/transport.ts';
import { type Metrics, createMetrics } from '../lib/metrics.ts';
import { databaseFaults } from '../db/client.ts';
import { createEncryption, type Encryption } from '../lib/encryption.ts';
import { createReceiverRules, nowhere, type ReceiverRules } from '../webhooks/receiver-address.ts';
import { createRateLimiter, type RateLimiter } from '../http/rate-limit.ts';
import { createSigner, type Signer } from '../lib/signer.ts';

export const pagesDir = join(root, 'web/dist');

/** Everything that endpoints need, made once per process. Each verb declares the part of it that it uses. */
export type Context = JobParts & {
  config: Config;
  /** Nothing may go outside: each part below that could is made accordingly. */
  isCopy: boolean;
  /** Time limit of an answer in milliseconds, unless its route has its own. */
  answerWithin: number;
  /** `draining`: told to stop. `tasksRun`: false while none runs although the database answers. */
  state: { draining: boolean; tasksRun: boolean };
  /** The public address, without a trailing slash. */
  publicUrl: string;
  /** Of Postgres itself, not of its pooler. */
  directUrl: string;
  log: FastifyBaseLogger;
  loops: Loops;
  db: Db;
  databaseWatch: DatabaseWatch;
  signer: Signer;
  /** Follows publications: its fields change with each. A request has one that stays. */
  catalog: Catalog;
  served: ServedCatalog;
  /** What a request takes, with the catalog that is served when it begins. */
  current(): Context;
  mail: Transport;
  /** Mails of an installation without a mail server. */
  mailbox: Mailbox;
  mailSender: MailSender;
  auth: Auth;
  metrics: Metrics;
  rates: RateLimiter<RateName>;
  provider: Provider;
  signatures: WebhookSignatures;
  storage: Storage;
  storageWatch: StorageWatch;
  places: Places;
  /** Signs the key of a poster. */
  posterUrl(key: string): string;
  removeFilesOf: RemoveFilesOf;
  graceHours: number;
  /** Reads free text for the concierge. Null if none is configured. */
  model: Model | null;
  hub: Hub;
  readLog: ReadLog;
  readUnloggedChanges: ReadUnloggedChanges;
  streams: Streams;
  waits: Waits;
  encryption: Encryption;
  receivers: ReceiverRules;
  migrations: readonly string[];
  guide: Chapter[];
  skill: Skill;
  openapi: Openapi;
  /** The id of the build in `pagesDir`; null if there is none. */
  pagesDir: string;
  build: string | null;
  close(): Promise<void>;
};

/** The database must be migrated first: the sign-in library checks its tables. */
export async function createContext(
  config: Config,
  databaseUrl: string,
  log: FastifyBaseLogger,
  limits: StoreDeadlines = deadlines,
): Promise<Context> {
  const state = { draining: false, tasksRun: true };
  const { publicUrl } = config;
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  const isCopy = await settleCopy(directUrl, config); // before the pool, which makes it a process that serves
  const loops = new Loops();
  const signer = createSigner(config.secretKeys);
  const pool = createPool(databaseUrl, config.databasePool, sayLost(state, log), poolTerms(config, signer, limits));
  const db = dbOn(pool);
  const migrations = await migrationNames();
  const mailbox = createMailbox(join(config.dataDir, 'mail'));
  const mail = createTransport({ smtpUrl: config.smtpUrl, from: config.mailFrom, publicUrl }, mailbox);
  const rates = await createRateLimiter(config.rates, config.redisUrl, log, limits.redis);
  const databaseWatch = new DatabaseWatch(directUrl, [databaseUrl, directUrl], log, loops, limits.database);
  const hub = createHub(db, directUrl, log, loops);
  const served = await ServedCatalog.open({ db, hub, log, loops }, config);
  const { catalog } = served;
  const outside = outsideOf(config, { db, log, loops, signer, catalog, isCopy });
  const { storage } = outside;
  const streams = createStreams(loops, (error) => log.warn({ err: error }, 'a stream of events failed'));
  const metrics = metricsOf(pool, streams, migrations);
  const signatures = new WebhookSignatures({ db, log, metrics, publicUrl });
  const mailSender = new MailSender({ db, log, loops, mail, publicUrl, rates, catalog, metrics, signer, isCopy });
  return withCurrent({
    ...outside,
    config,
    isCopy,
    answerWithin: deadlines.request.answer,
    state,
    publicUrl,
    directUrl,
    log,
    loops,
    db,
    databaseWatch,
    mail,
    mailbox,
    mailSender,
    signatures,
    signer,
    metrics,
    rates,
    catalog,
    served,
    auth: createAuth({ db, publicUrl, secretKeys: config.secretKeys, log }),
    posterUrl: createPosterUrl(signer, publicUrl),
    removeFilesOf: createRemoveFilesOf(db, storage, log),
    graceHours: config.periodGraceHours,
    ...createJobParts(db, config.periodGraceHours, catalog),
    hub,
    readLog: createLogReader(db),
    readUnloggedChanges: createUnloggedChanges(db),
    waits: createWaits(),
    streams,
    encryption: createEncryption([...new Set(config.secretKeys)]),
    migrations,
    guide: readGuide(publicUrl),
    skill: readSkill(publicUrl),
    openapi: createOpenapi(publicUrl, catalog),
    pagesDir,
    build: buildOf(pagesDir),
    close: () => close({ ...outside, databaseWatch, served, mailSender, signatures, rates, hub, db }),
  });
}

type Parts = Pick<Context, 'db' | 'log' | 'loops' | 'signer' | 'catalog' | 'isCopy'>;

/** What reaches others. That of a copy reads prices and writes into its own storage, and nothing else. */
function outsideOf(config: Config, { db, log, loops, signer, catalog, isCopy }: Parts) {
  const provider = createProvider(config, catalog, config.publicUrl, signer);
  const receivers = createReceiverRules(config.webhookAllow);
  const places = placesOf(db, config.storage, { signer, publicUrl: config.publicUrl, isCopy });
  const { storageWatch, storage } = watchStorage(db, places, log, loops);
  return {
    provider: isCopy ? readOnly(provider) : provider,
    receivers: isCopy ? nowhere(receivers) : receivers,
    model: isCopy ? null : modelOf(config, db, log),
    places,
    storageWatch,
    storage: storageIn(places, storage),
  };
}

type Closed = Pick<
  Context,
  'databaseWatch' | 'storageWatch' | 'served' | 'mailSender' | 'signatures' | 'receivers' | 'rates' | 'hub' | 'db'
>;

async function close(parts: Closed): Promise<void> {
  parts.storageWatch.stop();
  await parts.databaseWatch.stop();
  parts.served.close();
  await Promise.all([parts.mailSender.stop(), parts.signatures.stop()]);
  parts.receivers.close();
  parts.rates.close();
  await parts.hub.close();
  await parts.db.destroy();
}

/** While the process stops, connections end on purpose. */
const sayLost = (state: Context['state'], log: FastifyBaseLogger) => (err: Error) =>
  state.draining || log.warn({ err }, 'lost an idle database connection');

const metricsOf = (pool: pg.Pool, streams: Streams, migrations: readonly string[]) =>
  createMetrics({
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    streams: () => streams.callers().length,
    faults: databaseFaults,
    schema: migrations.at(-1) ?? '',
  });

export const instanceTagOf = ({ storage }: Config, { fingerprints }: Signer): string =>
  `${fingerprints[0]} ${storageTag(storage)}`;

const poolTerms = (config: Config, signer: Signer, { database }: StoreDeadlines) => ({
  instanceTag: instanceTagOf(config, signer),
  limits: database,
  pooled: config.databaseDirectUrl !== null,
});

const modelOf = ({ intakeModel, periodGraceHours }: Config, db: Db, log: FastifyBaseLogger): Model | null =>
  intakeModel && createModel(intakeModel, (accountId) => hasUsablePlan(db, accountId, periodGraceHours), log);

/** The context of requests is made again with each version. */
function withCurrent(parts: Omit<Context, 'current'>): Context {
  const context: Context = {
    ...parts,
    current() {
      const { current: catalog } = parts.served;
      if (requested.catalog !== catalog) requested = { ...context, catalog };
      return requested;
    },
  };
  let requested = context;
  return context;
}
