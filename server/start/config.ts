import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { Environment } from './environment.ts';
import { accountBounds } from '../../contract/file.ts';
import { type CountedBy, type Limit, rates, type RateName, type Rates } from '../../contract/rates.ts';
import type { StripeSettings } from '../billing/stripe.ts';
import type { StorageConfig } from '../files/create-storage.ts';
import type { ModelConfig } from '../model/model.ts';
import { isWeakPassword } from '../sign-in/weak-password.ts';
import { keptSecret, typablePassword } from './kept-secret.ts';
import { reviewTokenLead } from '../keys/review-link.ts';
import { workerKeyLead } from '../keys/worker-key.ts';

export type Config = {
  production: boolean;
  host: string;
  port: number;
  /** The public address, never taken from a request. Null: the listening address. */
  publicUrl: string | null;
  /** Addresses of proxies whose forwarded headers are trusted. */
  trustProxy: string[];
  dataDir: string;
  /** Null: the embedded Postgres under `dataDir`. */
  databaseUrl: string | null;
  databasePool: number;
  catalogDir: string;
  secretKeys: string[];
  webhookSecrets: string[];
  /** Null: the sandbox provider, which production refuses. */
  stripe: StripeSettings | null;
  /** Private networks to which webhooks may be sent, by http and at any port. For development. */
  webhookAllow: string[];
  smtpUrl: string | null;
  mailFrom: string;
  operator: { email: string; password: string } | null;
  operatorSecondFactor: boolean;
  apiKeyLead: string;
  /** Hours for which a period's remaining quota stays usable after its end. */
  periodGraceHours: number;
  /** Null: each process counts rates in memory. */
  redisUrl: string | null;
  rates: Rates;
  storage: StorageConfig;
  /** Limits per account: uploads not yet completed, and stored bytes. */
  maxPendingUploads: number;
  maxStoredBytes: number;
  /** Null: the concierge works without a model. */
  intakeModel: ModelConfig | null;
  logLevel: string;
};

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const here = (path: string) => resolve(import.meta.dirname, '../..', path);

/** Parses `account=60/60,key=30/60`: requests per seconds, for each party that the rate counts by. */
function readRate(name: RateName, text: string | null): Rates[RateName] | null {
  if (text === null) return rates[name];
  const matches = text.split(',').map((part) => /^(\w+)=([1-9]\d{0,8})\/([1-9]\d{0,5})$/.exec(part.trim()));
  const allKnown = matches.every((line) => line !== null && Object.hasOwn(rates[name], line[1] ?? ''));
  if (!allKnown) return null;
  const limits = matches.map((line): [CountedBy, Limit] => [
    line?.[1] as CountedBy,
    { limit: Number(line?.[2]), windowSeconds: Number(line?.[3]) },
  ]);
  return { ...rates[name], ...Object.fromEntries(limits) };
}

function readRates(env: Environment): Rates {
  const variables = (Object.keys(rates) as RateName[]).map((name) => `RATE_${name.toUpperCase()}`);
  // A mistyped name would silently have no effect.
  for (const name of env.names('RATE_'))
    env.check(name, variables.includes(name), `is not a rate; the rates are ${variables.join(', ')}.`);
  const read = (Object.keys(rates) as RateName[]).map((name): [RateName, Rates[RateName]] => {
    const variable = `RATE_${name.toUpperCase()}`;
    const rate = readRate(name, env.text(variable));
    const example = Object.keys(rates[name]).map((by) => `${by}=60/60`);
    env.check(variable, rate !== null, `must be requests per seconds, such as ${example.join(',')}.`);
    return [name, rate ?? rates[name]];
  });
  return Object.fromEntries(read) as Rates;
}

/** `file:` with a folder, or `s3://bucket?endpoint=…&region=…` with the usual AWS variables. */
function readStorage(env: Environment, dataDir: string): StorageConfig {
  const url = env.text('STORAGE_URL');
  if (url === null) return { folder: join(dataDir, 'files') };
  const folder = /^file:(?:\/\/(?=\/))?([^?#]+)$/.exec(url)?.[1];
  if (folder !== undefined) return { folder: resolve(decodeURIComponent(folder)) };
  const [, bucket, query] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?(?:\?(.*))?$/.exec(url) ?? [];
  const settings = new URLSearchParams(query);
  const endpoint = settings.get('endpoint');
  const onlyKnownSettings = [...settings.keys()].every((name) => name === 'endpoint' || name === 'region');
  const usable = bucket !== undefined && onlyKnownSettings && (endpoint === null || /^https?:\/\/[^/]/.test(endpoint));
  env.check('STORAGE_URL', usable, 'must be file:/path/to/folder or s3://bucket?endpoint=https://host&region=name.');
  return { bucket: bucket ?? '', endpoint, region: settings.get('region') ?? 'us-east-1' };
}

/** Any OpenAI-compatible endpoint, without `/chat/completions`. */
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
  const [email, password] = [env.text('OPERATOR_EMAIL'), env.text('OPERATOR_PASSWORD')];
  env.check('OPERATOR_EMAIL', (email === null) === (password === null), 'and OPERATOR_PASSWORD go together.');
  env.check('OPERATOR_EMAIL', email === null || /^[^\s@]+@[^\s@]+$/.test(email), 'must be an e-mail address.');
  const long = password === null || (password.length >= 10 && password.length <= 128);
  env.check('OPERATOR_PASSWORD', long, 'must have 10 to 128 characters.');
  const weak = password !== null && isWeakPassword(password, { email: email ?? '' });
  env.check('OPERATOR_PASSWORD', !production || !weak, 'is easy to guess; production refuses it.');
  return email && password ? { email, password } : null;
}

function readSecondFactor(env: Environment): boolean {
  const value = env.text('OPERATOR_SECOND_FACTOR');
  env.check('OPERATOR_SECOND_FACTOR', value === null || value === 'required', 'must be `required` or left out.');
  return value === 'required';
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
  for (const [name, hint] of Object.entries(needed))
    env.check(name, env.text(name) !== null, `is required in production: ${hint}`);
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
  return protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

const isStrong = (secret: string) => secret.length >= 32 && new Set(secret).size >= 10;

/** Reads the environment once and reports all problems together, without showing secrets. */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const env = new Environment(variables);
  const nodeEnv = env.text('NODE_ENV');
  const production = nodeEnv === 'production';
  const knownEnvironment = nodeEnv === null || ['production', 'development', 'test'].includes(nodeEnv);
  env.check('NODE_ENV', knownEnvironment, 'must be production, development, test or not set.');
  const dataDir = resolve(env.text('DATA_DIR') ?? here('.data'));
  const publicUrl = env.url('PUBLIC_URL', /^https?:\/\/[^/?#]+\/?$/, 'https://atelier.example.com');
  const logLevel = env.text('LOG_LEVEL') ?? 'info';
  const apiKeyLead = env.text('API_KEY_LEAD') ?? 'atl';
  env.check('LOG_LEVEL', levels.includes(logLevel), `must be one of ${levels.join(', ')}.`);
  const usable = /^[a-z]{2,8}$/.test(apiKeyLead) && ![workerKeyLead, reviewTokenLead].includes(apiKeyLead);
  env.check(
    'API_KEY_LEAD',
    usable,
    `must be 2 to 8 lower-case letters, and not ${workerKeyLead} or ${reviewTokenLead}.`,
  );
  const proxies = env.list('TRUST_PROXY');
  env.check('TRUST_PROXY', proxies.every(isProxy), 'must be addresses or networks, such as 10.0.0.5,192.168.0.0/16.');
  if (production) refuseStandIns(env);

  const config: Config = {
    production,
    host: env.text('HOST') ?? '127.0.0.1',
    port: env.whole('PORT', 3000, 0, 65535),
    publicUrl: publicUrl?.replace(/\/$/, '') ?? null,
    trustProxy: proxies,
    dataDir,
    databaseUrl: env.url('DATABASE_URL', /^postgres(ql)?:/, 'postgres://user:password@host:5432/atelier'),
    databasePool: env.whole('DATABASE_POOL', 10, 2, 200),
    catalogDir: resolve(env.text('CATALOG_DIR') ?? here('catalog')),
    secretKeys: env.secrets('SECRET_KEY', 32),
    webhookSecrets: env.secrets('STRIPE_WEBHOOK_SECRET', 8),
    stripe: readStripe(env),
    webhookAllow: readWebhookAllow(env, production),
    smtpUrl: env.url('SMTP_URL', /^smtps?:/, 'smtps://user:password@mail.example.com'),
    mailFrom: env.text('MAIL_FROM') ?? 'Atelier <atelier@localhost>',
    operator: readOperator(env, production),
    operatorSecondFactor: readSecondFactor(env),
    apiKeyLead,
    periodGraceHours: env.whole('PERIOD_GRACE_HOURS', 24, 0, 720),
    redisUrl: env.url('REDIS_URL', /^rediss?:/, 'redis://localhost:6379'),
    rates: readRates(env),
    storage: readStorage(env, dataDir),
    maxPendingUploads: env.whole('MAX_PENDING_UPLOADS', accountBounds.pendingUploads, 1, 1_000_000),
    maxStoredBytes: env.whole('MAX_STORED_BYTES', accountBounds.storedBytes, 1, 2 ** 49),
    intakeModel: readModel(env),
    logLevel,
  };
  if (env.problems.length > 0)
    throw new Error(`The configuration cannot be used:\n${env.problems.map((line) => `- ${line}`).join('\n')}`);
  if (config.secretKeys.length === 0) config.secretKeys = [keptSecret(dataDir, 'secret-key')];
  if (config.webhookSecrets.length === 0) config.webhookSecrets = [keptSecret(dataDir, 'webhook-secret')];
  return config;
}
