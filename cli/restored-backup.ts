import { type Backup, finishRestore, openBackup, restoreDatabase, type Terms } from '../server/backup/restore.ts';
import type { Checked } from '../server/check/check-database.ts';
import type { Db } from '../server/db/pool.ts';
import type { Storage } from '../server/files/storage.ts';
import { createEncryption } from '../server/lib/encryption.ts';
import type { Config } from '../server/start/config.ts';
import { checkAll } from './check.ts';

/** Reads and judges a backup for this installation. Changes nothing. */
export function openBackupFor(config: Config, folder: string, terms: Terms): Promise<Backup> {
  const { keyIds } = createEncryption([...new Set(config.secretKeys)]);
  const kind = config.databaseUrl === null ? 'embedded' : 'own';
  return openBackup(folder, { ...terms, kind, keyIds });
}

type Place = { db: Db; url: string; storage: Storage; asCopy: boolean };

/** Fills an empty place. An embedded Postgres has its cluster already. The sums were compared before. */
export async function fillPlace(
  { databaseUrl, postgresBin }: Config,
  backup: Backup,
  { db, url, storage, asCopy }: Place,
): Promise<{ accounts: number; checked: Checked }> {
  if (databaseUrl !== null) await restoreDatabase(backup, { url, db, bin: postgresBin });
  const accounts = await finishRestore(backup, url, { db, storage, asCopy });
  return { accounts, checked: await checkAll({ db, storage }, { contents: false }) };
}
