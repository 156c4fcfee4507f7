import { sql } from 'kysely';
import os from 'node:os';
import type { Db } from '../db/pool.ts';
import { Servers } from '../db/servers.ts';
import { version } from '../lib/version.ts';
import type { Config } from '../start/config.ts';
import { reasonWithout, secretsOf } from './reason.ts';
import type { Line } from './run-checks.ts';

type Parts = {
  findings: readonly Line[];
  /** Null: no process of the service makes the bundle. */
  ofProcess: { loops: Record<string, number>; metrics: string } | null;
};

/** Their values tell nothing about anybody. */
const harmless = /^(NODE_ENV|LOG_LEVEL|DATABASE_POOL|PORT|OUTBOUND|CATALOG|PERIOD_GRACE_HOURS|(RETAIN|RATE|MAX)_\w+)$/;
/** Not read by us, but by parts that we use. */
const ofParts = /^(AWS|OTEL)_[A-Z_]+$/;

const postgresSettings =
  'autovacuum fsync full_page_writes huge_pages jit maintenance_work_mem max_connections max_wal_size random_page_cost shared_buffers synchronous_commit wal_level work_mem'.split(
    ' ',
  );

/** What helps others to find a fault. What the database does not tell is there as the reason. */
export async function createSupportBundle(db: Db, config: Config, { findings, ofProcess }: Parts): Promise<object> {
  const reason = reasonWithout(config.environment.variables);
  const read = (query: ReturnType<typeof sql>) =>
    query.execute(db).then(
      ({ rows }) => rows,
      (error: unknown) => reason(error),
    );
  const scrub = scrubber(config);
  const bundle = {
    format: 1,
    versions: { service: version, node: process.versions.node, openssl: process.versions.openssl },
    machine: {
      system: `${os.platform()} ${os.release()} ${os.arch()}`,
      processors: os.availableParallelism(),
      memory: os.totalmem(),
      free_memory: os.freemem(),
    },
    settings: settingsOf(config),
    findings,
    postgres: await read(sql`
      select version() as version, pg_database_size(current_database())::float8 as bytes,
        current_setting('synchronous_standby_names') <> '' as standby,
        (select json_object_agg(name, setting || coalesce(unit, '')) from pg_settings
          where name = any(${postgresSettings}::text[])) as settings`),
    estimated_rows: await read(sql`
      select relname as table, greatest(n_live_tup, 0)::float8 as rows from pg_stat_user_tables
      where schemaname = current_schema() order by relname`),
    migrations: await read(sql`
      select name, version, applied_at from migration_checksums order by name`),
    tasks: await read(sql`
      select task, succeeded_at, seconds, every_seconds, due_at from task_runs order by task`),
    ...ofProcess,
  };
  // Only values: a secret may stand in the name of a field by chance.
  return JSON.parse(JSON.stringify(bundle, (_, value: unknown) => (typeof value === 'string' ? scrub(value) : value)));
}

function settingsOf({ environment: { variables, settings } }: Config): Record<string, string> {
  const isSet = (name: string) => Boolean(variables[name]?.trim());
  const names = [...settings, ...Object.keys(variables).filter((name) => ofParts.test(name))].filter(isSet);
  return Object.fromEntries(
    [...new Set(names)].toSorted().map((name) => [name, harmless.test(name) ? (variables[name] ?? '') : 'set']),
  );
}

const addresses = [
  /[^\s@<>"'()]+@[^\s@<>"'()]+/g, // of mail
  /(?<=:\/\/)[^\s/"'?#]+/g, // hosts in a URL
  /\b\d{1,3}(?:\.\d{1,3}){3}\b/g,
  /(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{1,4}(?![\w:])/gi,
];

/** Takes secrets and addresses out, in case a reason or a finding names one. */
function scrubber({
  environment: { variables },
  secretKeys,
  webhookSecrets,
  operator,
}: Config): (text: string) => string {
  const secrets = [...secretsOf(variables), ...secretKeys, ...webhookSecrets, operator?.password ?? ''];
  const names = [...secrets, ...hostsOf(variables), os.hostname(), operator?.email ?? ''].filter(
    (text) => text.length > 3,
  );
  return (text) =>
    addresses.reduce(
      (shown, address) => shown.replaceAll(address, '…'),
      names.reduce((shown, name) => shown.replaceAll(name, '…'), text),
    );
}

/** Of all settings that are URLs. A host without a dot, such as `postgres`, is also a word. */
const hostsOf = (variables: Config['environment']['variables']): string[] =>
  Object.values(variables)
    .flatMap((value = '') =>
      value.startsWith('postgres') && URL.canParse(Servers.of(value).next) ? Servers.of(value).urls : value,
    )
    .flatMap((url) => URL.parse(url)?.hostname.match(/.+\..+/) ?? []);
