import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { EndedKey, WorkerCaller } from '../http/request.ts';
import type { Db, Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import { isUnseen, keyFinder, type KeyParts } from './key-finder.ts';

/** The lead of every worker key. Configuration cannot give it to API keys. */
export const workerKeyLead = 'atw';

/** Null while it works. A worker key ends when its maker stops being an operator. */
export const workerKeyEnd = sql<EndedKey['because'] | null>`case
  when k.revoked_at is not null then 'revoked'
  when k.expires_at <= now() then 'expired'
  when (select u.operator from people u where u.id = k.created_by) is not true then 'revoked' end`;

/** What operators may see of worker keys. Never the hash. */
export const workerKeys = (db: Db | Trx) =>
  db
    .selectFrom('worker_keys as k')
    .innerJoin('people as maker', 'maker.id', 'k.created_by')
    .select(['k.id', 'k.name', 'k.prefix', 'k.service_families', 'k.created_by', 'maker.name as maker_name'])
    .select(['k.created_at', 'k.last_used_at', 'k.expires_at', 'k.revoked_at'])
    .select(workerKeyEnd.as('ended'));

type ShownRow = Awaited<ReturnType<ReturnType<typeof workerKeys>['executeTakeFirstOrThrow']>>;

export const showWorkerKey = (row: ShownRow) => ({
  id: showId('wkey', row.id),
  name: row.name,
  prefix: row.prefix,
  service_families: row.service_families,
  status: row.ended ?? ('active' as const),
  created_by: { kind: 'user' as const, id: showId('user', row.created_by), name: row.maker_name },
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  expires_at: row.expires_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
});

/** Returns the ids of the keys that this call revoked. */
export async function endWorkerKeys(trx: Trx, madeBy: string, since?: Date): Promise<string[]> {
  const rows = await trx
    .updateTable('worker_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('created_by', '=', madeBy)
    .where('revoked_at', 'is', null)
    .$if(since !== undefined, (keys) => keys.where('created_at', '>=', since ?? new Date(0)))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

const keysWithPrefixes = (db: Db, prefixes: readonly string[]) =>
  db
    .selectFrom('worker_keys as k')
    .where('k.prefix', '=', sql<string>`any(${prefixes}::text[])`)
    .select(['k.id', 'k.prefix', 'k.secret_sha256', 'k.service_families'])
    .select(isUnseen.as('unseen'))
    .select(workerKeyEnd.as('ended'))
    .select(sql<Date | null>`coalesce(k.revoked_at, k.expires_at)`.as('ended_at'))
    .execute();

const noteUse = (db: Db, id: string) =>
  db
    .updateTable('worker_keys')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isUnseen)
    .execute();

export function createWorkerFinder(
  db: Db,
  log: FastifyBaseLogger,
): (key: KeyParts) => Promise<WorkerCaller | EndedKey | null> {
  const withPrefixes = (prefixes: readonly string[]) => keysWithPrefixes(db, prefixes);
  const find = keyFinder({ kind: 'worker_key', withPrefixes, noteUse: (id) => noteUse(db, id) }, log);
  return async (key) => {
    const row = await find(key);
    if (!row || 'method' in row) return row;
    return {
      method: 'worker_key',
      accountId: null,
      suspendedSince: null,
      role: null,
      keyId: row.id,
      serviceFamilies: row.service_families,
    };
  };
}
