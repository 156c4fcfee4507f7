import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { Environment } from './environment.ts';
import { readRates } from './rate-settings.ts';
import { readStorage } from './storage-url.ts';
import { accountBounds } from '../../contract/files/file.ts';
import type { Rates } from '../../contract/rates.ts';
import { cleanEmail } from '../../contract/typed.ts';
import type { StripeSettings } from '../billing/stripe.ts';
import type { StorageConfig } from '../files/storage-config.ts';
import { isEveryAddress, isLoopback } from '../lib/loopback.ts';
import type { ModelConfig } from '../model/model.ts';
import { root } from '../lib/places.ts';
import { isWeakPassword } from '../sign-in/weak-password.ts';
import { type DatabaseUrls, readDatabaseUrls } from './database-urls.ts';
import { keptSecret, typablePassword } from './kept-secret.ts';
import { accessTokenLead, refreshTokenLead } from '../keys/app-token.ts';
import { reviewTokenLead, showTokenLead } from '../keys/review-link.ts';
import { workerKeyLead } from '../keys/worker-key.ts';

export type Config = DatabaseUrls & {
  production: boolean;
  host: string;
  port: number;
  /** The public address, without a trailing slash, never taken from a request. */
  publicUrl: string;
  /** Addresses of proxies whose forwarded headers are trusted. */
  trustProxy: string[];
  dataDir: string;
  databasePool: number;
  /** The folder of pg_dump and pg_restore. Null: they are looked for. */
  postgresBin: string | null;
  catalogDir: string;
  /** The catalog is kept in files: it is not published at the desk. */
  catalogInFiles: boolean;
  secretKeys: string[];
  webhookSecrets: string[];
  /** Null: the sandbox provider, which production refuses. */
  stripe: StripeSettings | null;
  /** Private networks to which webhooks may be sent, by http and at any port. For development. */
  webhookAllow: string[];
  outboundOff: boolean;
  smtpUrl: string | null;
  mailFrom: string;
  operator: { email: string; password: string } | null;
  operatorSecondFactor: boolean;
  apiKeyLead: string;
  /** Apps without a metadata document may register themselves. */
  dynamicRegistration: boolean;
  /** Hours for which a period's remaining quota stays usable after its end. */
  periodGraceHours: number;
  /** Periods count although the studio has paused their payment at the provider. */
  servesUncollected: boolean;
  /** Months for which audit entries, and events of ended jobs, are kept. Null: for ever. */
  retainAuditMonths: number | null;
  retainEventsMonths: number | null;
  /** Null: each process counts rates in memory. */
  redisUrl: string | null;
  rates: Rates;
  storage: StorageConfig;
  /** The program that reads films. Null: they get no poster but the uploader's, and no copy for viewing. */
  ffmpeg: string | null;
  /** Limits per account: uploads not yet completed, and stored bytes. */
  maxPendingUploads: number;
  maxStoredBytes: number;
  /** Null: the concierge works without a model. */
  intakeModel: ModelConfig | null;
  logLevel: string;
  /** Whether spans go to a collector, which the variables of OpenTelemetry describe. */
  traces: boolean;
  environment: Environment;
};

/** `problems`: one sentence each, without values. */
export class UnusableConfig extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((line) => `- ${line}`).join('\n')}`);
    this.problems = problems;
  }
}

const otherLeads = [workerKeyLead, reviewTokenLead, showTokenLead, accessTokenLead, refreshTokenLead];
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const here = (path: string) => resolve(root, path);

function readModel(env: Environment): ModelConfig | null {
  const url = env.url('INTAKE_MODEL_URL', /^https?:\/\//, 'https://models.example.com/v1');
  const model = env.text('INTAKE_MODEL');
  const key = env.text('INTAKE_MODEL_KEY');
  if (!url && !model && !key) return null;
  env.check(
    'INTAKE_MODEL_URL',
    url !== null && model !== null,
    'and INTAKE_MODEL go together; INTAKE_MODEL_KEY needs both.',
  );
  return { url: url ?? '', model: model ?? '', key };
}

function readStripe(env: Environment): Config['stripe'] {
  const secretKey = env.text('STRIPE_SECRET_KEY');
  const apiUrl = env.url('STRIPE_API_URL', /^https?:\/\/[^/?#]+\/?$/, 'http://localhost:4009');
  env.check('STRIPE_API_URL', apiUrl === null || secretKey !== null, 'must be set together with STRIPE_SECRET_KEY.');
  const usable = secretKey === null || /^[rs]k_(test|live)_\w+$/.test(secretKey);
  env.check(
    'STRIPE_SECRET_KEY',
    usable,
    'must be a secret or restricted key of Stripe: sk_test_…, rk_test_…, sk_live_… or rk_live_….',
  );
  return secretKey === null ? null : { secretKey, apiUrl };
}

function readOperator(env: Environment, production: boolean): Config['operator'] {
  const [address, password] = [env.text('OPERATOR_EMAIL'), env.text('OPERATOR_PASSWORD')];
  const email = address && cleanEmail(address);
  env.check('OPERATOR_EMAIL', (email === null) === (password === null), 'and OPERATOR_PASSWORD go together.');
  env.check('OPERATOR_EMAIL', email === null || /^[^\s@]+@[^\s@]+$/.test(email), 'must be an e-mail address.');
  const long = password === null || (password.length >= 10 && password.length <= 128);
  env.check('OPERATOR_PASSWORD', long, 'must have 10 to 128 characters.');
  const weak = password !== null && isWeakPassword(password, { email: email ?? '' });
  env.check('OPERATOR_PASSWORD', !production || !weak, 'is easy to guess; production refuses it.');
  return email && password ? { email, password } : null;
}

/** Outside production the default operator has a password stored under `dataDir`. */
export function operatorOf({ operator, production, dataDir }: Config): Config['operator'] {
  if (operator || production) return operator;
  return { email: 'operator@atelier.localhost', password: keptSecret(dataDir, 'operator-password', typablePassword) };
}

/** An address, a network such as `10.0.0.0/8`, or one of Fastify's names for networks. */
function isProxy(text: string): boolean {
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const longest = isIP(address) === 4 ? 32 : 128;
  return (isIP(address) > 0 && Number(bits) <= longest) || ['loopback', 'linklocal', 'uniquelocal'].includes(text);
}

function readWebhookAllow(env: Environment, production: boolean): string[] {
  const networks = env.list('WEBHOOK_ALLOW');
  env.check('WEBHOOK_ALLOW', networks.length === 0 || !production, 'is for development; production refuses it.');
  const allNetworks = networks.every((network) => isProxy(network) && /^[\da-f.:]+(\/\d+)?$/i.test(network));
  env.check('WEBHOOK_ALLOW', allNetworks, 'must be addresses or networks, such as 127.0.0.1,192.168.0.0/16.');
  return allNetworks ? networks : [];
}

/** In production each stand-in is refused with the name of the setting that replaces it. */
function refuseStandIns(env: Environment): void {
  const needed = {
    DATABASE_URL: 'the embedded Postgres is for development.',
    SECRET_KEY: 'at least 32 random characters.',
    PUBLIC_URL: 'such as https://atelier.example.com.',
    SMTP_URL: 'such as smtps://user:password@mail.example.com.',
    STRIPE_WEBHOOK_SECRET: "the signing secret of the provider's endpoint.",
    STRIPE_SECRET_KEY: 'the sandbox provider is for development.',
  };
  const unused = env.text('OUTBOUND') === 'off' ? ['SMTP_URL', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY'] : [];
  for (const [name, hint] of Object.entries(needed))
    env.check(name, unused.includes(name) || env.text(name) !== null, `is required in production: ${hint}`);
  env.check('WEBHOOK_ALLOW', env.text('WEBHOOK_ALLOW') === null, 'is for development; production refuses it.');
  env.check('PUBLIC_URL', isPrivate(env.text('PUBLIC_URL')), 'must begin with https:// in production.');
  for (const name of ['SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
    env.check(
      name,
      env.list(name).every(isStrong),
      'must be at least 32 characters long, with at least 10 different ones.',
    );
}

/** Over plain http, sessions could be read on the way, unless the proxy is on the same machine. */
function isPrivate(url: string | null): boolean {
  if (url === null || !URL.canParse(url)) return true; // another check reports it
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopback(hostname);
}

/** On this machine the address is `localhost`: a page has one origin, and passkeys need a name. */
export function listeningUrl(host: string, port: number): string {
  const hostname = host.includes(':') ? `[${host}]` : host;
  const isHere = isEveryAddress(host) || ['127.0.0.1', '[::1]'].includes(hostname);
  return `http://${isHere ? 'localhost' : hostname}:${port}`;
}

const isStrong = (secret: string) => secret.length >= 32 && new Set(secret).size >= 10;

/** Where the service may listen if another program has its port. */
export const nextPort = (port: number): number => (port < 65535 ? port + 1 : port - 1);

/** Reads the environment once and reports all problems together, without showing secrets. */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const env = new Environment(variables);
  const nodeEnv = env.text('NODE_ENV');
  const production = nodeEnv === 'production';
  const isKnown = /^(production|development|test)?$/.test(nodeEnv ?? '');
  env.check('NODE_ENV', isKnown, 'must be production, development, test or not set.');
  const dataDir = resolve(env.text('DATA_DIR') ?? here('.data'));
  const publicUrl = env.url('PUBLIC_URL', /^https?:\/\/[^/?#]+\/?$/, 'https://atelier.example.com');
  // In a trial people read the start screen, which a line per request would push away.
  const logLevel = env.text('LOG_LEVEL') ?? (production ? 'info' : 'warn');
  const apiKeyLead = env.text('API_KEY_LEAD') ?? 'atl';
  env.check('LOG_LEVEL', levels.includes(logLevel), `must be one of ${levels.join(', ')}.`);
  const usable = /^[a-z]{2,8}$/.test(apiKeyLead) && !otherLeads.includes(apiKeyLead);
  env.check('API_KEY_LEAD', usable, `must be 2 to 8 lower-case letters, and not ${otherLeads.join(', ')}.`);
  const proxies = env.list('TRUST_PROXY');
  env.check('TRUST_PROXY', proxies.every(isProxy), 'must be addresses or networks, such as 10.0.0.5,192.168.0.0/16.');
  if (production) refuseStandIns(env);
  const host = env.text('HOST') ?? '127.0.0.1';
  const port = env.whole('PORT', 3000, 0, 65535);
  const config: Config = {
    production,
    host,
    port,
    publicUrl: publicUrl?.replace(/\/$/, '') ?? listeningUrl(host, port),
    trustProxy: proxies,
    dataDir,
    ...readDatabaseUrls(env),
    databasePool: env.whole('DATABASE_POOL', 10, 2, 200),
    postgresBin: env.text('POSTGRES_BIN'),
    catalogDir: resolve(env.text('CATALOG_DIR') ?? here('catalog')),
    catalogInFiles: env.keyword('CATALOG', 'files'),
    secretKeys: env.secrets('SECRET_KEY', 32),
    webhookSecrets: env.secrets('STRIPE_WEBHOOK_SECRET', 8),
    stripe: readStripe(env),
    webhookAllow: readWebhookAllow(env, production),
    outboundOff: env.keyword('OUTBOUND', 'off'),
    smtpUrl: env.url('SMTP_URL', /^smtps?:/, 'smtps://user:password@mail.example.com'),
    mailFrom: env.text('MAIL_FROM') ?? 'Atelier <atelier@localhost>',
    operator: readOperator(env, production),
    operatorSecondFactor: env.keyword('OPERATOR_SECOND_FACTOR', 'required'),
    apiKeyLead,
    dynamicRegistration: env.keyword('OAUTH_DYNAMIC_REGISTRATION', 'allowed'),
    periodGraceHours: env.whole('PERIOD_GRACE_HOURS', 24, 0, 720),
    servesUncollected: env.keyword('PAUSED_COLLECTION', 'serve'),
    retainAuditMonths: env.months('RETAIN_AUDIT_MONTHS', 1),
    retainEventsMonths: env.months('RETAIN_EVENTS_MONTHS', 3),
    redisUrl: env.url('REDIS_URL', /^rediss?:/, 'redis://localhost:6379'),
    rates: readRates(env),
    storage: readStorage(env, dataDir),
    ffmpeg: env.program('FFMPEG', '/usr/bin/ffmpeg'),
    maxPendingUploads: env.whole('MAX_PENDING_UPLOADS', accountBounds.pendingUploads, 1, 1_000_000),
    maxStoredBytes: env.whole('MAX_STORED_BYTES', accountBounds.storedBytes, 1, 2 ** 49),
    intakeModel: readModel(env),
    logLevel,
    traces: env.url('OTEL_EXPORTER_OTLP_ENDPOINT', /^https?:/, 'http://localhost:4318') !== null,
    environment: env,
  };
  if (env.problems.length > 0) throw new UnusableConfig([...env.problems, ...env.misspelled()]);
  if (config.secretKeys.length === 0) config.secretKeys = [keptSecret(dataDir, 'secret-key')];
  if (config.webhookSecrets.length === 0) config.webhookSecrets = [keptSecret(dataDir, 'webhook-secret')];
  return config;
}
