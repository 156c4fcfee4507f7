import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { WorkerCaller } from '../http/caller.ts';
import type { Db } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import { isUnseen, keyFinder } from './key-finder.ts';
import type { KeyParts } from './plaintext-key.ts';

/** What every worker key begins with; no configuration gives it to API keys. */
export const workerKeyLead = 'atw';

/** What may be shown of a key; its hash is not among it. */
export const shownOfWorkerKey = [
  'id',
  'name',
  'prefix',
  'service_families',
  'created_at',
  'last_used_at',
  'revoked_at',
] as const;

export const workerKeys = (db: Db) => db.selectFrom('worker_keys').select(shownOfWorkerKey);

type ShownRow = Awaited<ReturnType<ReturnType<typeof workerKeys>['executeTakeFirstOrThrow']>>;

export const showWorkerKey = (row: ShownRow) => ({
  id: showId('wkey', row.id),
  name: row.name,
  prefix: row.prefix,
  service_families: row.service_families,
  status: row.revoked_at === null ? ('active' as const) : ('revoked' as const),
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
});

const activeKeys = (db: Db, prefixes: readonly string[]) =>
  db
    .selectFrom('worker_keys')
    .where('prefix', '=', sql<string>`any(${prefixes}::text[])`)
    .where('revoked_at', 'is', null)
    .select(['id', 'prefix', 'secret_sha256', 'service_families'])
    .select(isUnseen.as('unseen'))
    .execute();

const noteUse = (db: Db, id: string) =>
  db
    .updateTable('worker_keys')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isUnseen)
    .execute();

/** Finds the worker behind a worker key. */
export function createWorkerFinder(db: Db, log: FastifyBaseLogger): (key: KeyParts) => Promise<WorkerCaller | null> {
  const find = keyFinder({ active: (prefixes) => activeKeys(db, prefixes), noteUse: (id) => noteUse(db, id) }, log);
  return async (key) => {
    const row = await find(key);
    return (
      row && {
        method: 'worker_key',
        accountId: null,
        role: null,
        keyId: row.id,
        serviceFamilies: row.service_families,
      }
    );
  };
}
