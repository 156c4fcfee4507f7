import { sql } from 'kysely';
import type { Db } from './pool.ts';

/** `what`: the table that the session keeps others from, or what else. */
type LockHolder = { pid: number; what: string };

export const wordsOfHolder = ({ pid, what }: LockHolder): string =>
  `Session ${pid} keeps others from ${what}. Look at it: select * from pg_stat_activity where pid = ${pid}; ` +
  `and end it: select pg_terminate_backend(${pid});`;

/** The session that keeps readers out: only an AccessExclusiveLock does, held or waited for. */
export async function findExclusiveHolder(db: Db, schema: string): Promise<LockHolder | undefined> {
  const { rows } = await sql<LockHolder>`
    select case when l.granted then l.pid else coalesce((pg_blocking_pids(l.pid))[1], l.pid) end as pid, l.relation::regclass::text as what
    from pg_locks l join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace
    where l.database = (select oid from pg_database where datname = current_database())
      and l.mode = 'AccessExclusiveLock' and l.pid <> pg_backend_pid() and c.relkind = 'r'
      and n.nspname = ${schema}
    order by l.granted desc, l.pid limit 1`.execute(db);
  return rows[0];
}

/** The session that blocks `pid`. A lock that is on no table is that of the migrations. */
export async function findHolderBefore(db: Db, pid: number): Promise<LockHolder | undefined> {
  const { rows } = await sql<LockHolder>`
    select holder as pid, coalesce(l.relation::regclass::text, 'the migrations') as what
    from pg_locks l, unnest(pg_blocking_pids(l.pid)) holder
    where l.pid = ${pid} and not l.granted limit 1`.execute(db);
  return rows[0];
}
