import type { Command } from 'commander';
import { type Backup, refuseCluster, restoreCluster } from '../server/backup/restore.ts';
import { endCopy } from '../server/backup/copy.ts';
import { refuseObjects } from '../server/backup/files.ts';
import type { Origin } from '../server/backup/manifest.ts';
import { readServer } from '../server/backup/own-database.ts';
import { orFull } from '../server/backup/unusable.ts';
import { createDb } from '../server/db/pool.ts';
import { copyWords } from '../server/lib/html.ts';
import { count } from '../server/lib/words.ts';
import { type Config, readConfig } from '../server/start/config.ts';
import { countStoredSecrets } from '../server/start/stored-secrets.ts';
import { showChecked } from './check.ts';
import { withDatabase, withDatabaseUrl } from './connection.ts';
import { Failure, type Io, print, type Shared, show } from './output.ts';
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
    .option('--moved', 'the installation goes on here: the original is off for good')
    .option('--as-copy', 'to try things on: nothing reaches the outside, and sessions, keys and links end')
    .option('--verify', 'only restore it into a temporary place and check it there')
    .action(async (folder: string, _, command: Command) => restore(folder, command.optsWithGlobals()));
  program
    .command('end-copy')
    .description('make what `restore --as-copy` restored an installation of its own, which mails and posts')
    .action(async (_, command: Command) => leaveCopy(command.optsWithGlobals()));
}

async function leaveCopy(options: Shared): Promise<void> {
  const { io } = options;
  if (!(await withDatabase(io, readConfig(io.env), endCopy)))
    throw new Failure('This database is no copy.', 'If OUTBOUND=off is set, leave it out and restart the service.');
  show(options, { copy: false }, [
    'This is an installation of its own now. Stop every process, then start them without OUTBOUND=off.',
    'What waits now is dropped; new mails go out.',
  ]);
}

type Options = Shared & { identity?: string; otherSecretKey?: true; verify?: true; moved?: true; asCopy?: true };

async function restore(folder: string, options: Options): Promise<void> {
  const { io, verify, moved, asCopy = false } = options;
  if (moved && asCopy) throw new Failure('--moved and --as-copy cannot be combined.', 'Use one of them.');
  const config = readConfig(io.env);
  const place = verify || moved || asCopy ? null : await originOf(io, config);
  const terms = { identity: options.identity ?? null, otherKey: options.otherSecretKey === true, place };
  if (verify) return showChecked(options, await verifyBackup(io, config, folder, terms));
  const backup = await openBackupFor(config, folder, terms);
  const { checked, accounts, unreadable } = await fill(io, config, backup, asCopy);
  const lines = [
    `Restored the backup of ${backup.manifest.created_at}, version ${backup.manifest.atelier}.`,
    `The logs of ${accounts} accounts continue with new numbers. Files without a row are kept for 14 days.`,
    ...(asCopy ? [`${copyWords} Its sessions, keys and links have ended; passwords hold.`] : []),
    ...unreadable.map((what) => `SECRET_KEY cannot read ${what}: the service starts once their key is back.`),
  ];
  showChecked(options, checked, { value: { restore: { folder, accounts, unreadable } }, lines });
}

/** An embedded database is restored with its identity. */
const originOf = async (io: Io, config: Config): Promise<Origin> => ({
  public_url: config.publicUrl,
  database: config.databaseUrl === null ? null : (await withDatabase(io, config, readServer)).database,
});

const whenFull = 'Free space there. Then empty the database and the storage, and restore again: this one is half done.';

const placeOf = ({ storage, dataDir }: Config) => ('folder' in storage ? storage.folder : dataDir);

async function fill(io: Io, config: Config, backup: Backup, asCopy: boolean) {
  const storage = storageOf(config);
  await refuseObjects(storage);
  if (asCopy && (await storage.readOwner()) !== null)
    throw new Failure('The storage belongs to another installation.', 'Name a new folder or bucket in STORAGE_URL.');
  if (config.databaseUrl === null) {
    refuseCluster(backup.manifest, config.dataDir);
    await restoreCluster(backup, config.dataDir, (line) => print(io, line)).catch(orFull(config.dataDir, whenFull));
  }
  return withDatabaseUrl(io, config, async (url) => {
    const db = createDb(url, 2, () => {}, { patient: true });
    try {
      const restored = fillPlace(config, backup, { db, url, storage, asCopy });
      const { accounts, checked } = await restored.catch(orFull(placeOf(config), whenFull));
      const secrets = await countStoredSecrets(db, config.secretKeys);
      const unreadable = secrets.filter(({ unknown }) => unknown > 0).map(({ unknown, what }) => count(unknown, what));
      return { checked, accounts, unreadable };
    } finally {
      await db.destroy();
    }
  });
}
