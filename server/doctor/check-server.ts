import { sql } from 'kysely';
import { databaseProblems, type Problem } from '../db/check-database.ts';
import { type Db, otherProcesses, transact } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';
import type { Config } from '../start/config.ts';
import { connectionsOf } from '../start/connections.ts';
import { fail, type Finding, ok, warn } from './run-checks.ts';

/** What a start refuses. Throws if the server does not answer. */
export async function checkServer(url: string, config: Config): Promise<Finding[]> {
  const problems = await databaseProblems(url, {
    connections: connectionsOf(config).direct,
    durable: config.production,
    poolerUrl: config.databaseDirectUrl === null ? null : config.databaseUrl,
  });
  if (problems.length > 0) return problems.map(findingOf);
  const durable = config.production ? ', and a crash loses no acknowledged job' : '';
  return [ok(`Version, encoding, rights and settings of Postgres fit${durable}.`)];
}

const findingOf = ({ sentence, statement }: Problem): Finding =>
  fail(sentence, statement ? `Run as a superuser: ${statement}` : 'Read docs/operations/install.md#postgres');

type Limit = { kind: 'server' | 'role' | 'database'; name: string; most: number; open: number };

/** While processes restart in turn, there is one more. `own`: processes of the service that are this one. */
export async function checkConnections(db: Db, config: Config, own = 0): Promise<Finding> {
  const limit = await readLowestLimit(db);
  const processes = (await otherProcesses(db)).length + own;
  const each = connectionsOf(config).direct;
  const needed = each * Math.max(processes, 1);
  const enough = needed + each;
  const running = processes === 1 ? '1 process runs' : `${processes} processes run`;
  const sentence = `${running}, each with up to ${each} connections; ${wordsOf(limit)}.`;
  const action =
    limit.kind === 'server'
      ? `Run as a superuser, and restart Postgres: alter system set max_connections = ${2 * enough};`
      : `Run as a superuser: alter ${limit.kind} ${limit.name} connection limit -1;`;
  if (needed > limit.most) return fail(sentence, action);
  return enough > limit.most ? warn(sentence, action) : ok(sentence);
}

/** A negative limit of a role or database means no limit, and superusers have none. */
async function readLowestLimit(db: Db): Promise<Limit> {
  const { rows } = await sql<Limit>`
    with clients as (select usesysid, datid from pg_stat_activity where backend_type = 'client backend')
    select 'server' as kind, '' as name, current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as most,
      (select count(*)::int from clients) as open
    union all
    select 'role', quote_ident(r.rolname), r.rolconnlimit,
      (select count(*)::int from clients where usesysid = r.oid)
    from pg_roles r where r.rolname = current_user and r.rolconnlimit >= 0 and not r.rolsuper
    union all
    select 'database', quote_ident(d.datname), d.datconnlimit, (select count(*)::int from clients where datid = d.oid)
    from pg_database d join pg_roles r on r.rolname = current_user and not r.rolsuper
    where d.datname = current_database() and d.datconnlimit >= 0
    order by most limit 1`.execute(db);
  if (!rows[0]) throw new Error('Postgres does not say its limits');
  return rows[0];
}

function wordsOf({ kind, most, open }: Limit): string {
  const opened = `of which ${open} ${open === 1 ? 'is' : 'are'} open`;
  return kind === 'server' ? `Postgres allows ${most}, ${opened}` : `the limit of the ${kind} is ${most}, ${opened}`;
}

/** Whether the processes agree about secrets and rates. */
export async function checkProcesses(db: Db, config: Config, signer: Signer, own = 0): Promise<Finding> {
  const others = await otherProcesses(db);
  const foreign = others.filter(({ instanceTag }) => !signer.fingerprints.includes(instanceTag));
  if (foreign.length > 0)
    return fail(
      `${foreign.length} of ${others.length + own} processes have another SECRET_KEY: each refuses sessions of the other.`,
      'Give all processes, and this command, the same SECRET_KEY.',
    );
  const count = others.length + own;
  if (count > 1 && config.redisUrl === null)
    return warn('Each process counts rates for itself, so several allow more.', 'Set REDIS_URL for all processes.');
  return ok(count === 0 ? 'No process of the service runs.' : 'The processes have the same SECRET_KEY.');
}

const [diskFull, notAllowed] = ['53100', '42501'];

/** Postgres does not say how much space is left, so this writes 4 MB into a table that ends with it. */
export async function checkSpace(db: Db): Promise<Finding> {
  try {
    await transact(db, (trx) =>
      sql`create temporary table space_of_doctor on commit drop as
        select md5(n::text) || md5((-n)::text) from generate_series(1, 40000) n`.execute(trx),
    );
    return ok('Postgres has space to write.');
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code === notAllowed) return ok('The role may make no temporary tables, so writing was not tried.');
    if (code !== diskFull) throw error;
    return fail(
      `Postgres has no space: ${message}.`,
      'Free space on its disk, or make it larger. Until then writes fail.',
    );
  }
}

type Seen = { names: string; commit: string; confirming: number; hidden: number; waiting: number; role: string };

/** A role without the right to see the state of standbys sees only that there are some. */
export async function checkStandby(db: Db): Promise<Finding> {
  const { rows } = await sql<Seen>`
    select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as commit,
      (select count(*)::int from pg_stat_replication where sync_state in ('sync', 'quorum')) as confirming,
      (select count(*)::int from pg_stat_replication where sync_state is null) as hidden,
      (select count(*)::int from pg_stat_activity where wait_event = 'SyncRep'
        and query_start < now() - interval '2 seconds') as waiting,
      quote_ident(current_user) as role`.execute(db);
  return judgeStandby(rows[0] ?? { names: '', commit: '', confirming: 0, hidden: 0, waiting: 0, role: '' });
}

export function judgeStandby({ names, commit, confirming, hidden, waiting, role }: Seen): Finding {
  if (names === '') return ok('No synchronous standby is configured: losing this server loses what no backup has.');
  const start = 'Start a standby that synchronous_standby_names names, and look at: select * from pg_stat_replication;';
  if (waiting > 0) return fail(`${waiting} writes wait for a synchronous standby of ${names}.`, start);
  if (['local', 'off'].includes(commit))
    return warn(
      `A standby is configured, but synchronous_commit is ${commit}, so a failover loses acknowledged jobs.`,
      `Run as a superuser: alter role ${role} set synchronous_commit = 'on';`,
    );
  if (confirming > 0) return ok('A synchronous standby is connected.');
  if (hidden > 0)
    return warn(
      'The role may not see whether a standby is synchronous.',
      `Run as a superuser: grant pg_monitor to ${role};`,
    );
  return fail(`No synchronous standby of ${names} is connected, so every write waits.`, start);
}

const most = 1_000;

/** The time on the network counts for neither clock. */
export async function checkClock(db: Db, now: () => number = () => Date.now()): Promise<Finding> {
  await sql`select`.execute(db); // connects first
  const before = now();
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`.execute(db);
  const after = now();
  const at = rows[0]?.at ?? 0;
  const ahead = Math.max(before - at, at - after, 0);
  if (ahead <= most) return ok('The clocks of this machine and the database agree within a second.');
  return warn(
    `The clock of this machine is ${(ahead / 1000).toFixed(1)} s ${before > at ? 'ahead of' : 'behind'} the database.`,
    'Synchronise both with NTP: timedatectl set-ntp true',
  );
}
