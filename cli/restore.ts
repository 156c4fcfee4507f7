import type { Command } from 'commander';
import { type Backup, refuseCluster, restoreCluster } from '../server/backup/restore.ts';
import { refuseObjects } from '../server/backup/files.ts';
import { createDb } from '../server/db/pool.ts';
import { count } from '../server/lib/words.ts';
import { type Config, readConfig } from '../server/start/config.ts';
import { countStoredSecrets } from '../server/start/stored-secrets.ts';
import { showChecked } from './check.ts';
import { withDatabaseUrl } from './connection.ts';
import { type Io, print, type Shared } from './output.ts';
import { fillPlace, openBackupFor } from './restored-backup.ts';
import { storageOf } from './storage.ts';
import { verifyBackup } from './verify-backup.ts';

export function restoreCommand(program: Command): void {
  program
    .command('restore')
    .description('restore a backup into an empty database and an empty storage, then check them')
    .argument('<folder>', 'the folder that `backup` made')
    .option('--identity <file>', 'the file with the age identity of an encrypted backup')
    .option('--other-secret-key', 'go on although SECRET_KEY is not that of the backup')
    .option('--verify', 'only restore it into a temporary place and check it there')
    .action(async (folder: string, _, command: Command) => restore(folder, command.optsWithGlobals()));
}

type Options = Shared & { identity?: string; otherSecretKey?: true; verify?: true };

async function restore(folder: string, options: Options): Promise<void> {
  const { io, verify } = options;
  const config = readConfig(io.env);
  const terms = { identity: options.identity ?? null, otherKey: options.otherSecretKey === true };
  if (verify) return showChecked(options, await verifyBackup(io, config, folder, terms));
  const backup = await openBackupFor(config, folder, terms);
  const { checked, accounts, unreadable } = await place(io, config, backup);
  const lines = [
    `Restored the backup of ${backup.manifest.created_at}, version ${backup.manifest.atelier}.`,
    `The logs of ${accounts} accounts continue with new numbers. Files without a row are kept for 14 days.`,
    ...unreadable.map((what) => `SECRET_KEY cannot read ${what}: the service starts once their key is back.`),
  ];
  showChecked(options, checked, { value: { restore: { folder, accounts, unreadable } }, lines });
}

async function place(io: Io, config: Config, backup: Backup) {
  const storage = storageOf(config);
  await refuseObjects(storage);
  if (config.databaseUrl === null) {
    refuseCluster(backup.manifest, config.dataDir);
    await restoreCluster(backup, config.dataDir, (line) => print(io, line));
  }
  return withDatabaseUrl(io, config, async (url) => {
    const db = createDb(url, 2, () => {}, { patient: true });
    try {
      const { accounts, checked } = await fillPlace(config, backup, { db, url, storage });
      const secrets = await countStoredSecrets(db, config.secretKeys);
      const unreadable = secrets.filter(({ unknown }) => unknown > 0).map(({ unknown, what }) => count(unknown, what));
      return { checked, accounts, unreadable };
    } finally {
      await db.destroy();
    }
  });
}
