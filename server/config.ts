import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CountedBy, type Limit, rates, type RateName, type Rates } from '../contract/rates.ts';
import type { StripeSettings } from './billing/stripe.ts';
import type { StoragePlace } from './files/open-storage.ts';
import type { ModelPlace } from './intake/model.ts';

export type Config = {
  production: boolean;
  host: string;
  port: number;
  /** Where people and the payment provider reach the service; never taken from a request. Null: the listening address. */
  publicUrl: string | null;
  /** Addresses of proxies whose forwarded headers are believed; empty for none. */
  trustProxy: string[];
  dataDir: string;
  /** Null: the embedded Postgres under `dataDir`. */
  databaseUrl: string | null;
  databasePool: number;
  catalogDir: string;
  secretKeys: string[];
  webhookSecrets: string[];
  /** Null: the sandbox provider, never in production. */
  stripe: StripeSettings | null;
  smtpUrl: string | null;
  mailFrom: string;
  operator: { email: string; password: string } | null;
  apiKeyLead: string;
  /** Hours that what is left of a period stays usable after its end. */
  periodGraceHours: number;
  /** Null: rates count in the memory of each process. */
  redisUrl: string | null;
  rates: Rates;
  storage: StoragePlace;
  /** What one account may hold: uploads that wait for their bytes, and bytes. */
  maxPendingUploads: number;
  maxStoredBytes: number;
  /** Null: the concierge works by its rules alone. */
  intakeModel: ModelPlace | null;
  logLevel: string;
};

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const here = (path: string) => resolve(import.meta.dirname, '..', path);

/** `account=60/60,key=30/60`: requests per seconds, for the parties that the rate counts by. Null for anything else. */
function readRate(name: RateName, text: string | undefined): Rates[RateName] | null {
  if (text === undefined || text.trim() === '') return rates[name];
  const lines = text.split(',').map((part) => /^(\w+)=([1-9]\d{0,8})\/([1-9]\d{0,5})$/.exec(part.trim()));
  const known = lines.every((line) => line !== null && Object.hasOwn(rates[name], line[1] ?? ''));
  if (!known) return null;
  const limits = lines.map((line): [CountedBy, Limit] => [
    line?.[1] as CountedBy,
    { limit: Number(line?.[2]), windowSeconds: Number(line?.[3]) },
  ]);
  return { ...rates[name], ...Object.fromEntries(limits) };
}

function readRates(env: Record<string, string | undefined>, problems: string[]): Rates {
  const read = (Object.keys(rates) as RateName[]).map((name): [RateName, Rates[RateName]] => {
    const variable = `RATE_${name.toUpperCase()}`;
    const rate = readRate(name, env[variable]);
    const example = Object.keys(rates[name]).map((by) => `${by}=60/60`);
    if (rate === null) problems.push(`${variable} must be requests per seconds, such as ${example.join(',')}.`);
    return [name, rate ?? rates[name]];
  });
  return Object.fromEntries(read) as Rates;
}

/** `file:` with a folder, or `s3://bucket?endpoint=…&region=…`; credentials of the bucket come from the usual AWS variables. */
function readStorage(url: string | null, dataDir: string, problems: string[]): StoragePlace {
  if (url === null) return { folder: join(dataDir, 'files') };
  const folder = /^file:(?:\/\/(?=\/))?([^?#]+)$/.exec(url)?.[1];
  if (folder !== undefined) return { folder: resolve(decodeURIComponent(folder)) };
  const [, bucket, query] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?(?:\?(.*))?$/.exec(url) ?? [];
  const settings = new URLSearchParams(query);
  const endpoint = settings.get('endpoint');
  const known = [...settings.keys()].every((name) => name === 'endpoint' || name === 'region');
  if (bucket === undefined || !known || (endpoint !== null && !/^https?:\/\/[^/]/.test(endpoint)))
    problems.push('STORAGE_URL must be file:/path/to/folder or s3://bucket?endpoint=https://host&region=name.');
  return { bucket: bucket ?? '', endpoint, region: settings.get('region') ?? 'us-east-1' };
}

/** Any OpenAI-compatible endpoint; its address ends before `/chat/completions`. */
function readModel(env: Record<string, string | undefined>, problems: string[]): ModelPlace | null {
  const [url, model, key] = ['URL', '', 'KEY'].map(
    (end) => env[['INTAKE_MODEL', end].filter(Boolean).join('_')]?.trim() || null,
  );
  if (!url && !model && !key) return null;
  if (!url || !model) problems.push('INTAKE_MODEL_URL and INTAKE_MODEL go together; INTAKE_MODEL_KEY needs both.');
  else if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    problems.push('INTAKE_MODEL_URL must be a URL such as https://models.example.com/v1.');
  return { url: url ?? '', model: model ?? '', key: key ?? null };
}

/** A secret of this installation, made once under `dataDir` so that a second start knows it again. */
export function keptSecret(dataDir: string, name: string): string {
  const file = join(dataDir, name);
  if (!existsSync(file)) {
    // Open to traverse, so that the database's own user can reach its folder; what lies in it is closed by itself.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  }
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}

/** The operator of the configuration; outside production there is one without it, whose password is kept under `dataDir`. */
export function operatorOf({ operator, production, dataDir }: Config): Config['operator'] {
  if (operator || production) return operator;
  return { email: 'operator@atelier.localhost', password: keptSecret(dataDir, 'operator-password') };
}

/** Reads the environment once, at the start. Every problem is named at the same time, with what to set; no value of a secret is shown. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const text = (name: string) => env[name]?.trim() || null;
  const list = (name: string) =>
    text(name)
      ?.split(',')
      .map((part) => part.trim())
      .filter(Boolean) ?? [];
  const check = (name: string, ok: boolean, hint: string) => void (ok || problems.push(`${name} ${hint}`));
  const whole = (name: string, fallback: number, least: number, most: number) => {
    const value = text(name) ?? String(fallback);
    check(
      name,
      /^\d{1,15}$/.test(value) && +value >= least && +value <= most,
      `must be a whole number from ${least} to ${most}.`,
    );
    return Number(value);
  };
  const url = (name: string, pattern: RegExp, example: string) => {
    const value = text(name);
    check(name, value === null || (pattern.test(value) && URL.canParse(value)), `must be a URL such as ${example}.`);
    return value;
  };
  const secrets = (name: string, least: number) => {
    const values = list(name);
    check(name, values.length <= 2, 'takes one secret, or two separated by a comma.');
    check(
      name,
      values.every((value) => value.length >= least),
      `must be at least ${least} characters long.`,
    );
    return values;
  };

  const production = text('NODE_ENV') === 'production';
  const dataDir = resolve(text('DATA_DIR') ?? here('.data'));
  const databaseUrl = url('DATABASE_URL', /^postgres(ql)?:/, 'postgres://user:password@host:5432/atelier');
  const publicUrl =
    url('PUBLIC_URL', /^https?:\/\/[^/?#]+\/?$/, 'https://atelier.example.com')?.replace(/\/$/, '') ?? null;
  const secretKeys = secrets('SECRET_KEY', 32);
  const webhookSecrets = secrets('STRIPE_WEBHOOK_SECRET', 8);
  const stripeKey = text('STRIPE_SECRET_KEY');
  const stripeUrl = url('STRIPE_API_URL', /^https?:\/\/[^/?#]+\/?$/, 'http://localhost:4009');
  const [email, password] = [text('OPERATOR_EMAIL'), text('OPERATOR_PASSWORD')];
  const logLevel = text('LOG_LEVEL') ?? 'info';
  const apiKeyLead = text('API_KEY_LEAD') ?? 'atl';

  check('STRIPE_API_URL', stripeUrl === null || stripeKey !== null, 'goes with STRIPE_SECRET_KEY.');
  check('LOG_LEVEL', levels.includes(logLevel), `must be one of ${levels.join(', ')}.`);
  check(
    'API_KEY_LEAD',
    /^[a-z]{2,8}$/.test(apiKeyLead) && apiKeyLead !== 'atw',
    'must be 2 to 8 lower-case letters, and not atw.',
  );
  check('OPERATOR_EMAIL', (email === null) === (password === null), 'and OPERATOR_PASSWORD go together.');
  check('OPERATOR_EMAIL', email === null || /^[^\s@]+@[^\s@]+$/.test(email), 'must be an e-mail address.');
  check(
    'OPERATOR_PASSWORD',
    password === null || (password.length >= 10 && password.length <= 128),
    'must have 10 to 128 characters.',
  );
  if (production) {
    const mine = 'is needed in production:';
    check('DATABASE_URL', databaseUrl !== null, `${mine} the embedded Postgres is for trying out.`);
    check('SECRET_KEY', secretKeys.length > 0, `${mine} at least 32 random characters.`);
    check('PUBLIC_URL', publicUrl !== null, `${mine} such as https://atelier.example.com.`);
    check('SMTP_URL', text('SMTP_URL') !== null, `${mine} such as smtps://user:password@mail.example.com.`);
    check('STRIPE_WEBHOOK_SECRET', webhookSecrets.length > 0, `${mine} the signing secret of the provider's endpoint.`);
    check('STRIPE_SECRET_KEY', stripeKey !== null, `${mine} the sandbox provider is for trying out.`);
  }
  const config: Config = {
    production,
    host: text('HOST') ?? '127.0.0.1',
    port: whole('PORT', 3000, 0, 65535),
    publicUrl,
    trustProxy: list('TRUST_PROXY'),
    dataDir,
    databaseUrl,
    databasePool: whole('DATABASE_POOL', 10, 2, 200),
    catalogDir: resolve(text('CATALOG_DIR') ?? here('catalog')),
    secretKeys,
    webhookSecrets,
    stripe: stripeKey === null ? null : { secretKey: stripeKey, apiUrl: stripeUrl },
    smtpUrl: url('SMTP_URL', /^smtps?:/, 'smtps://user:password@mail.example.com'),
    mailFrom: text('MAIL_FROM') ?? 'Atelier <atelier@localhost>',
    operator: email && password ? { email, password } : null,
    apiKeyLead,
    periodGraceHours: whole('PERIOD_GRACE_HOURS', 24, 0, 720),
    redisUrl: url('REDIS_URL', /^rediss?:/, 'redis://localhost:6379'),
    rates: readRates(env, problems),
    storage: readStorage(text('STORAGE_URL'), dataDir, problems),
    maxPendingUploads: whole('MAX_PENDING_UPLOADS', 100, 1, 1_000_000),
    maxStoredBytes: whole('MAX_STORED_BYTES', 10 * 1024 ** 3, 1, 2 ** 49),
    intakeModel: readModel(env, problems),
    logLevel,
  };
  if (problems.length > 0)
    throw new Error(`The configuration cannot be used:\n${problems.map((line) => `- ${line}`).join('\n')}`);
  if (secretKeys.length === 0) config.secretKeys = [keptSecret(dataDir, 'secret-key')];
  if (webhookSecrets.length === 0) config.webhookSecrets = [keptSecret(dataDir, 'webhook-secret')];
  return config;
}
