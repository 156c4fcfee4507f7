import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

type Holder = { pid: number; table: string };

const queryCanceled = '57014';

/** What to do about a check that failed. `otherwise`: if no statement took too long. */
export const lockHint =
  (db: Db, schema: string, otherwise: string) =>
  async (failure: unknown): Promise<string> => {
    if (!isCanceled(failure)) return otherwise;
    const [holder] = await listLockHolders(db, schema).catch(() => []);
    if (!holder)
      return "Run doctor again, and look at what runs: select * from pg_stat_activity where state <> 'idle';";
    const { pid, table } = holder;
    return (
      `Session ${pid} keeps others from ${table}. Look at it: select * from pg_stat_activity where pid = ${pid}; ` +
      `and end it: select pg_terminate_backend(${pid});`
    );
  };

const isCanceled = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === queryCanceled || isCanceled(error.cause));

/** The doctor only reads, so no other lock stops it. Another session stops who waits for such a lock. */
async function listLockHolders(db: Db, schema: string): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    select case when l.granted then l.pid else coalesce((pg_blocking_pids(l.pid))[1], l.pid) end as pid, l.relation::regclass::text as table
    from pg_locks l join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace
    where l.database = (select oid from pg_database where datname = current_database())
      and l.mode = 'AccessExclusiveLock' and l.pid <> pg_backend_pid() and c.relkind = 'r'
      and n.nspname = ${schema}
    order by l.granted desc, l.pid`.execute(db);
  return rows;
}
