import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readReadiness as endpoint } from '../../contract/probes.ts';
import { Refusal } from '../http/refusal.ts';
import type { Db } from '../db/pool.ts';

type State = { applied: string[]; fsync: string; full_page_writes: string; synchronous_commit: string };

const notReady = (message: string) =>
  new Refusal('service_unavailable', { message: `Not ready: ${message}.`, headers: { 'retry-after': '2' } });

/**
 * Whether requests may be sent here. A database that could lose an acknowledged write (no fsync, no full
 * pages, asynchronous commits) is not ready: in a measured power cut it lost every one. `migrations` are
 * those of this version.
 */
export async function readReadiness({
  db,
  migrations,
  state,
}: {
  db: Db;
  migrations: readonly string[];
  state: { draining: boolean };
}): Promise<AnswerOf<typeof endpoint>> {
  if (state.draining) throw notReady('the process is stopping');
  const { rows } = await sql<State>`
    select array(select name from kysely_migration) as applied, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit`.execute(db);
  const { applied = [], ...settings } = rows[0] ?? {};
  const missing = migrations.filter((name) => !applied.includes(name));
  if (missing.length > 0) throw notReady(`migrations are missing: ${missing.join(', ')}`);
  const unsafe = Object.entries(settings).filter(([, value]) => value === 'off');
  if (unsafe.length > 0) throw notReady(`the database has ${unsafe.map(([name]) => name).join(', ')} off`);
  return { status: 200, body: { status: 'ready' } };
}
