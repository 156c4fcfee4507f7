import { join } from 'node:path';
import { createProvider } from '../billing/create-provider.ts';
import type { Provider } from '../billing/provider.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { loadCatalog } from '../catalog/load-catalog.ts';
import { connectHint } from '../db/check-database.ts';
import { createDb, databaseTime, type Db, schemaOf } from '../db/pool.ts';
import { createStorage } from '../files/create-storage.ts';
import { placesOf, storageIn } from '../files/places.ts';
import { copyWords } from '../lib/html.ts';
import { createSigner } from '../lib/signer.ts';
import { createMailbox } from '../mail/mailbox.ts';
import { createTransport } from '../mail/transport.ts';
import { readNewestCatalog } from '../publishing/served-catalog.ts';
import type { Config } from '../start/config.ts';
import { checkBackup } from './check-backup.ts';
import { checkCallers } from './check-callers.ts';
import { checkClock, checkConnections, checkProcesses, checkServer, checkSpace, checkStandby } from './check-server.ts';
import { checkCors, checkOwner, checkRoundTrip, checkStorages } from './check-storage.ts';
import { type BuiltPages, checkDisks, checkOpenFiles, checkPages } from './check-machine.ts';
import { checkFfmpeg } from './check-ffmpeg.ts';
import { checkImportedPeople } from './check-imported-people.ts';
import { checkMailServer, sendTestMail } from './check-mail-server.ts';
import { checkMigrations } from './check-migrations.ts';
import { checkOwners } from './check-owners.ts';
import { checkPrices, checkProvider, checkWebhookSecret } from './check-provider.ts';
import { checkPublicUrl } from './check-public-url.ts';
import { checkRedis } from './check-redis.ts';
import { checkRights, checkUnchangedRows } from './check-rights.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkState, checkTasks } from './check-state.ts';
import { checkInvoiceEvents, checkProviderEndpoints, checkSignatures } from './check-webhook.ts';
import { type Check, fail, type Line, runChecks, warn } from './run-checks.ts';
import { lockHint } from './lock-hint.ts';
import { type Reason, reasonWithout } from './reason.ts';

/** `mailTo`: who gets a test mail. */
export type Installation = {
  config: Config;
  variables: Record<string, string | undefined>;
  publicUrl: string;
  pagesDir: string;
  builtPages: BuiltPages;
  mailTo: string | null;
  /** Whether the installation may reach nothing outside. */
  isCopy: boolean;
  /** Whether a process of the service examines itself. */
  isService: boolean;
};

const copyFinding = warn(
  copyWords,
  'If it is none, leave OUTBOUND out. If it is to be one no longer, run: npm run admin -- end-copy',
);

type WithUrl = (use: (databaseUrl: string) => Promise<Line[]>) => Promise<Line[]>;

/** Everything but the settings. `withUrl` opens the embedded Postgres, if there is no other. */
export async function examineAll(installation: Installation, withUrl: WithUrl): Promise<Line[]> {
  const surroundings = await examineSurroundings(installation);
  const database = await withUrl((url) => examineDatabase(installation, url)).catch((error: unknown): Line[] => {
    const sentence = `The embedded Postgres cannot be used: ${reasonWithout(installation.variables)(error)}.`;
    return [
      { check: 'Postgres', ...fail(sentence, 'Look at DATA_DIR, or name a Postgres of your own in DATABASE_URL.') },
    ];
  });
  return [...surroundings, ...(await examinePublicAddress(installation, database)), ...database];
}

/** What can be checked without the database. */
export async function examineSurroundings(installation: Installation): Promise<Line[]> {
  const { config, variables, publicUrl, pagesDir, builtPages, isCopy } = installation;
  const mailTo = isCopy ? null : installation.mailTo;
  const { smtpUrl, mailFrom: from, redisUrl, dataDir } = config;
  const signer = createSigner(config.secretKeys);
  const storage = createStorage(config.storage, signer, publicUrl);
  const folders = 'folder' in config.storage ? [dataDir, config.storage.folder] : [dataDir];
  const mail = createTransport({ smtpUrl, from, publicUrl }, createMailbox(join(dataDir, 'mail')));
  const reason = reasonWithout(variables);
  const lookAt = { storage: 'Check STORAGE_URL, its rights and the AWS variables.', mail: 'Check SMTP_URL.' };
  const checks: Check[] = [
    { check: 'pages', run: () => checkPages(builtPages, pagesDir), unless: 'Run: npm run build' },
    { check: 'disk', run: () => checkDisks(folders), unless: 'Check DATA_DIR and STORAGE_URL, and who may read them.' },
    { check: 'films', run: () => checkFfmpeg(config.ffmpeg), unless: 'Check FFMPEG.' },
    { check: 'open files', run: () => checkOpenFiles(), unless: 'Look at: ulimit -n' },
    // The storage may be the original's, and the mail server is not for a copy.
    ...(isCopy
      ? [{ check: 'copy', run: async () => copyFinding, unless: '' }]
      : [{ check: 'storage', run: () => checkRoundTrip(storage), unless: lookAt.storage }]),
    ...('bucket' in config.storage
      ? [{ check: 'storage from pages', run: () => checkCors(storage, publicUrl), unless: lookAt.storage }]
      : []),
    ...(isCopy ? [] : [{ check: 'mail server', run: () => checkMailServer(mail, smtpUrl), unless: lookAt.mail }]),
    ...(mailTo === null
      ? []
      : [
          {
            check: 'test mail',
            run: () => sendTestMail(mail, smtpUrl, mailTo),
            unless: `${lookAt.mail} Check MAIL_FROM.`,
          },
        ]),
    { check: 'Redis', run: () => checkRedis(redisUrl), unless: 'Check REDIS_URL, and that Redis runs.' },
  ];
  try {
    return await runChecks(checks, reason);
  } finally {
    mail.close();
  }
}

/** `database`: the lines about it, because without Postgres no process is ready. */
export async function examinePublicAddress(installation: Installation, database: readonly Line[]): Promise<Line[]> {
  const { config, variables, publicUrl } = installation;
  const isPostgresWell = database.every(({ check, status }) => check !== 'Postgres' || status !== 'fail');
  const reason = reasonWithout(variables);
  const run = () => checkPublicUrl(publicUrl, createSigner(config.secretKeys), reason, isPostgresWell);
  return runChecks([{ check: 'public address', run, unless: 'Check PUBLIC_URL.' }], reason);
}

/** `databaseUrl`: of Postgres itself. A database that does not fit leads to one line instead of a dozen. */
export async function examineDatabase(installation: Installation, databaseUrl: string): Promise<Line[]> {
  const reason = reasonWithout(installation.variables);
  const unless = async (error: unknown) => connectHint(error, 'DATABASE_URL');
  const server = await runChecks(
    [{ check: 'Postgres', run: () => checkServer(databaseUrl, installation.config), unless }],
    reason,
  );
  const db = createDb(databaseUrl, 1, () => {}); // a lost connection fails the check that uses it
  try {
    return await examineData({ ...installation, db, reason }, databaseUrl, server);
  } finally {
    await db.destroy();
  }
}

const rightsHint = 'Check the rights of the role, as docs/operations/install.md#postgres says.';

type Dependencies = Installation & { db: Db; reason: Reason };

async function examineData(parts: Dependencies, databaseUrl: string, server: Line[]): Promise<Line[]> {
  const { db, config, reason } = parts;
  const isReached = await databaseTime(db).then(
    () => true,
    () => false, // the lines of the server say why
  );
  if (!isReached) return server;
  const signer = createSigner(config.secretKeys);
  const own = parts.isService ? 1 : 0;
  const schema = schemaOf(databaseUrl);
  const unless = lockHint(db, schema, rightsHint);
  const lines = await runChecks(
    [
      { check: 'connections', run: () => checkConnections(db, config, own), unless },
      { check: 'processes', run: () => checkProcesses(db, config, signer, own), unless },
      { check: 'space', run: () => checkSpace(db), unless },
      { check: 'standby', run: () => checkStandby(db), unless },
      { check: 'clock', run: () => checkClock(db), unless },
      { check: 'rights', run: () => checkRights(db, schema), unless },
      { check: 'migrations', run: () => checkMigrations(db), unless },
    ],
    reason,
  );
  const isMigrated = lines.every(({ check, status }) => check !== 'migrations' || status === 'ok');
  const data = isMigrated ? await runChecks(dataChecks(parts, databaseUrl), reason) : [];
  return [...server, ...lines, ...data];
}

function dataChecks(parts: Dependencies, databaseUrl: string): Check[] {
  const { db, config, publicUrl, variables } = parts;
  const signer = createSigner(config.secretKeys);
  const places = placesOf(db, config.storage, { signer, publicUrl, isCopy: parts.isCopy });
  const storage = storageIn(places, places.own.storage);
  const front = { publicUrl, trustProxy: config.trustProxy };
  const secret = { publicUrl, hasSecret: Boolean(variables.STRIPE_WEBHOOK_SECRET?.trim()) };
  const schema = schemaOf(databaseUrl);
  const hint = (otherwise: string) => lockHint(db, schema, otherwise);
  const unless = hint(rightsHint);
  const pay = hint('Check STRIPE_SECRET_KEY, and that this machine reaches the provider.');
  return [
    { check: 'unchanged rows', run: () => checkUnchangedRows(db), unless },
    { check: 'files', run: () => checkOwner({ db, storage }), unless: hint('Check STORAGE_URL and DATABASE_URL.') },
    { check: 'files of processes', run: () => checkStorages(db), unless },
    { check: 'tasks', run: () => checkTasks(db), unless },
    { check: 'work', run: () => checkState(db), unless },
    { check: 'callers', run: () => checkCallers(db, signer, front), unless },
    { check: 'payments', run: async () => checkProvider(await billingOf(parts), config.production), unless: pay },
    { check: 'prices', run: async () => checkPrices(await billingOf(parts)), unless: pay },
    {
      check: 'payment webhook',
      run: async () => checkWebhookSecret((await billingOf(parts)).provider, secret),
      unless: pay,
    },
    ...(parts.isCopy ? [] : webhookChecks(parts, unless, pay)),
    { check: 'secrets', run: () => checkSecrets(db, config.secretKeys), unless },
    { check: 'backup', run: () => checkBackup(db), unless },
    { check: 'owners', run: () => checkOwners(db, { secondFactor: config.operatorSecondFactor }), unless },
    { check: 'imported people', run: () => checkImportedPeople(db), unless },
  ];
}

/** To a copy the provider posts nothing. */
function webhookChecks(parts: Dependencies, unless: Check['unless'], pay: Check['unless']): Check[] {
  const { db, publicUrl } = parts;
  const check = 'payment webhook';
  return [
    { check, run: () => checkSignatures(db, publicUrl), unless },
    {
      check,
      run: async () => checkProviderEndpoints((await billingOf(parts)).provider, publicUrl),
      unless: pay,
    },
    { check, run: () => checkInvoiceEvents(db), unless },
  ];
}

type Billing = { db: Db; catalog: Catalog; provider: Provider };

/** Before the first start, the catalog that it will publish. */
async function billingOf({ db, config, publicUrl }: Dependencies): Promise<Billing> {
  const catalog = (await readNewestCatalog(db)) ?? loadCatalog(config.catalogDir);
  return { db, catalog, provider: createProvider(config, catalog, publicUrl, createSigner(config.secretKeys)) };
}
