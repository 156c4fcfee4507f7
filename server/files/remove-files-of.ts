import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/pool.ts';
import { keysOf, unsharedKeys } from './file.ts';
import type { Storage } from './storage.ts';

/** Deletes the bytes of deleted and expired files of these accounts. */
export type RemoveFilesOf = (accountIds: readonly string[]) => Promise<void>;

const atOnce = 20;

/** Runs after the commit. If the storage fails, the sweep deletes the bytes within two days. */
export const createRemoveFilesOf =
  (db: Db, storage: Storage, log: Pick<FastifyBaseLogger, 'warn'>): RemoveFilesOf =>
  async (accountIds) => {
    if (accountIds.length === 0) return;
    const files = await db
      .selectFrom('files')
      .select(['id', 'content_type', 'object_key', 'poster_key', 'viewing_key'])
      .where('account_id', 'in', accountIds)
      .where('status', 'in', ['deleted', 'expired'])
      .execute();
    try {
      const keys = await unsharedKeys(db, files.flatMap(keysOf));
      for (let from = 0; from < keys.length; from += atOnce)
        await Promise.all(keys.slice(from, from + atOnce).map((key) => storage.remove(key)));
    } catch (error) {
      log.warn({ err: error }, 'the files of a closed account will be deleted later');
    }
  };
