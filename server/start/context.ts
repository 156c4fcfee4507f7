import type { FastifyBaseLogger } from 'fastify';
import { join } from 'node:path';
import type { RateName } from '../../contract/rates.ts';
import { type Auth, createAuth } from '../sign-in/auth.ts';
import { openapi } from '../../contract/openapi.ts';
import { createProvider } from '../billing/create-provider.ts';
import type { Provider } from '../billing/provider.ts';
import { type Catalog } from '../catalog/catalog.ts';
import { loadCatalog } from '../catalog/load-catalog.ts';
import type { Config } from './config.ts';
import { hasUsablePlan } from '../entitlements/entitlement.ts';
import { createStorage } from '../files/create-storage.ts';
import { createRemoveFilesOf, type RemoveFilesOf } from '../files/remove-files-of.ts';
import type { Storage } from '../files/storage.ts';
import { createHub, type Hub } from '../events/hub.ts';
import { createLogReader, type ReadLog } from '../events/event.ts';
import { createStreams, type Streams } from '../http/event-stream.ts';
import { createWaits, type Waits } from '../http/waits.ts';
import { migrationNames } from '../db/migrate.ts';
import { buildOf } from '../pages/serve-pages.ts';
import { type Chapter, readGuide } from '../reference/guide.ts';
import { deadlines } from '../lib/deadlines.ts';
import { type Db, dbOn, createPool } from '../db/pool.ts';
import { type Admit, createAdmissionQueue } from '../jobs/admission-queue.ts';
import { createFindJob, type FindJob } from '../jobs/job.ts';
import { createReadJobPage, type ReadJobPage } from '../jobs/job-page.ts';
import { createModel, type Model } from '../intake/model.ts';
import { MailSender } from '../mail/mail-sender.ts';
import { createMailbox, type Mailbox } from '../mail/mailbox.ts';
import { createTransport, type Transport } from '../mail/transport.ts';
import { type Metrics, createMetrics } from '../lib/metrics.ts';
import { createEncryption, type Encryption } from '../lib/encryption.ts';
import { createReceiverRules, type ReceiverRules } from '../webhooks/receiver-address.ts';
import { createRateLimiter, type RateLimiter } from '../http/rate-limit.ts';
import { createSigner, type Signer } from '../lib/signer.ts';

/** Where `web/build/build.ts` puts the pages. */
const pagesDir = join(import.meta.dirname, '../../web/dist');

/** What every endpoint stands on, made once a process. A verb names in its own type the parts that it takes. */
export type Context = {
  config: Config;
  /** Milliseconds that an answer may take where its route has no time of its own. */
  answerWithin: number;
  /** Set when the process was told to stop. */
  state: { draining: boolean };
  /** Where the service is reached, without a slash at the end. */
  publicUrl: string;
  log: FastifyBaseLogger;
  db: Db;
  signer: Signer;
  catalog: Catalog;
  mail: Transport;
  /** What is kept of mails where there is no mail server. */
  mailbox: Mailbox;
  mailSender: MailSender;
  auth: Auth;
  metrics: Metrics;
  rates: RateLimiter<RateName>;
  provider: Provider;
  storage: Storage;
  removeFilesOf: RemoveFilesOf;
  /** Hours that a plan stays usable after its period, while the renewal is on its way. */
  graceHours: number;
  admit: Admit;
  findJob: FindJob;
  readJobPage: ReadJobPage;
  /** Reads free text for the concierge. Null where no model is configured. */
  model: Model | null;
  hub: Hub;
  readLog: ReadLog;
  streams: Streams;
  waits: Waits;
  encryption: Encryption;
  /** Where webhooks may go. */
  receivers: ReceiverRules;
  /** The migrations of this version. */
  migrations: readonly string[];
  guide: Chapter[];
  /** The OpenAPI document, with the guide as its introduction. */
  openapi: object;
  /** Where `web/build/build.ts` puts the pages, and the id of that build; null where there is none. */
  pagesDir: string;
  build: string | null;
  /** Ends what it holds open. */
  close(): Promise<void>;
};

/** The database must be migrated before this: the sign-in library checks its tables. */
export async function createContext(
  config: Config,
  databaseUrl: string,
  publicUrl: string,
  log: FastifyBaseLogger,
): Promise<Context> {
  const state = { draining: false };
  const signer = createSigner(config.secretKeys);
  const lost = (error: Error) => {
    // Connections end when the process stops.
    if (!state.draining) log.warn({ err: error }, 'lost an idle database connection');
  };
  const pool = createPool(databaseUrl, config.databasePool, lost, { instanceTag: signer.fingerprints[0] ?? '' });
  const db = dbOn(pool);
  const mailbox = createMailbox(join(config.dataDir, 'mail'));
  const mail = createTransport({ smtpUrl: config.smtpUrl, from: config.mailFrom, publicUrl }, mailbox);
  const catalog = loadCatalog(config.catalogDir);
  const rates = await createRateLimiter(config.rates, config.redisUrl, log);
  const receivers = createReceiverRules(config.webhookAllow);
  const storage = createStorage(config.storage, signer, publicUrl);
  const hub = createHub(db, databaseUrl, log);
  const guide = readGuide(publicUrl);
  const mailSender = new MailSender({ db, log, mail, publicUrl, rates });
  return {
    config,
    answerWithin: deadlines.request.answer,
    state,
    publicUrl,
    log,
    db,
    mail,
    mailbox,
    mailSender,
    signer,
    metrics: createMetrics(() => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount })),
    rates,
    catalog,
    auth: createAuth({ db, publicUrl, secretKeys: config.secretKeys, log }),
    provider: createProvider(config, catalog, publicUrl, signer),
    storage,
    removeFilesOf: createRemoveFilesOf(db, storage, log),
    graceHours: config.periodGraceHours,
    admit: createAdmissionQueue(db, config.periodGraceHours),
    findJob: createFindJob(db, config.periodGraceHours),
    readJobPage: createReadJobPage(db, config.periodGraceHours),
    model:
      config.intakeModel &&
      createModel(config.intakeModel, (accountId) => hasUsablePlan(db, accountId, config.periodGraceHours), log),
    hub,
    readLog: createLogReader(db),
    waits: createWaits(),
    streams: createStreams((error) => log.warn({ err: error }, 'a stream of events failed')),
    encryption: createEncryption([...new Set(config.secretKeys)]),
    receivers,
    migrations: await migrationNames(),
    guide,
    openapi: openapi(publicUrl, guide.map(({ text }) => text).join('\n\n')),
    pagesDir,
    build: buildOf(pagesDir),
    async close() {
      await mailSender.stop();
      receivers.close();
      rates.close();
      await hub.close();
      await db.destroy();
    },
  };
}
