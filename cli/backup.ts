import type { Command } from 'commander';
import { basename, resolve } from 'node:path';
import { backUp } from '../server/backup/back-up.ts';
import { dailyTargets, type Removed, removeOldBackups } from '../server/backup/daily-backups.ts';
import { recordBackup } from '../server/backup/last-backup.ts';
import { createEncryption } from '../server/lib/encryption.ts';
import { count } from '../server/lib/words.ts';
import { version } from '../server/lib/version.ts';
import { type Config, readConfig } from '../server/start/config.ts';
import { withDatabase, withDatabaseUrl } from './connection.ts';
import { Ended, type Io, print, type Shared, show, wordsOf } from './output.ts';
import { showChecked } from './check.ts';
import { storageFor } from './storage.ts';
import { verifyBackup } from './verify-backup.ts';
import { createDb } from '../server/db/pool.ts';

export function backupCommand(program: Command): void {
  program
    .command('backup')
    .description('write database and files into a new folder; the service may run')
    .argument('<folder>', 'a folder that does not exist yet; with --daily the folder of all backups')
    .option('--daily', 'name it by the day, and remove old ones: 7 days, 4 weeks, 12 months and the last verified stay')
    .option('--encrypt-to <recipient>', 'encrypt each part to a public key of age')
    .option('--verify', 'restore it into a temporary place and check it there')
    .option('--identity <file>', 'with --verify and --encrypt-to: the file with the age identity')
    .action(async (folder: string, _, command: Command) => backup(folder, command.optsWithGlobals()));
  program
    .command('record-backup')
    .description('record that other tools have just made a backup, for the doctor and the alerts')
    .option('--verified', 'it was restored and checked')
    .action(async (_, command: Command) => recordOther(command.optsWithGlobals()));
}

type Options = Shared & { daily?: true; encryptTo?: string; verify?: true; identity?: string };

async function backup(place: string, options: Options): Promise<void> {
  const { io, daily, encryptTo, verify, identity } = options;
  const config = readConfig(io.env);
  const { folder, manifest } = await withDatabaseUrl(io, config, async (url) => {
    const db = createDb(url, 2, () => {}, { patient: true });
    try {
      const keyIds = createEncryption([...new Set(config.secretKeys)]).keyIds;
      const embedded = config.databaseUrl === null ? config.dataDir : null;
      const { publicUrl, postgresBin: bin } = config;
      const installation = { db, url, publicUrl, storage: await storageFor(db, config), embedded, bin, keyIds };
      const targets = daily ? dailyTargets(place, new Date()) : ([place] as const);
      return await backUp(installation, targets, { version, recipient: encryptTo ?? null });
    } finally {
      await db.destroy();
    }
  });
  const old = daily ? await removeOldBackups(place, manifest) : null;
  const lines = [
    `${folder} has the database and ${manifest.objects} files, ${manifest.bytes} bytes.`,
    `SECRET_KEY ${manifest.secret_key_ids.join(' and ')} is not in it: keep it apart, the backup is useless without it.`,
    ...(old ? describeRemoved(place, old) : []),
  ];
  const value = {
    backup: { folder, ...manifest },
    ...(old && { removed: old.removed, not_removed: old.failed.map(({ name }) => name) }),
  };
  if (verify) {
    const terms = { identity: identity ?? null, otherKey: false, place: null };
    const checked = await verifyBackup(io, config, folder, terms).catch((error: unknown) => {
      show(options, value, lines);
      throw error;
    });
    showChecked(options, checked, { value, lines: [...lines, 'Restored into a temporary place:'] });
  } else show(options, value, lines);
  await record(io, config, folder, { restored: verify === true });
  if (old?.failed.length) throw new Ended(1);
}

const describeRemoved = (place: string, { removed, failed, others }: Removed): string[] => [
  removed.length === 0 ? `No old backup was removed from ${place}.` : `Removed from ${place}: ${removed.join(', ')}.`,
  ...(others === 0 ? [] : [`${count(others, 'folder')} there are of another installation or no backups, and stay.`]),
  ...failed.map(({ name, error }) => `Could not be removed: ${name}. Remove it by hand. ${wordsOf(error)}`),
];

/** A complete backup is no failure because the database takes no writes just now. */
async function record(io: Io, config: Config, folder: string, terms: { restored: boolean }): Promise<void> {
  try {
    await withDatabase(io, config, (db) => recordBackup(db, basename(resolve(folder)), terms));
  } catch (error) {
    print(
      io,
      `The backup is complete, but could not be recorded: ${wordsOf(error)}. Run: npm run admin -- record-backup`,
    );
  }
}

async function recordOther({ io, verified, ...options }: Shared & { verified?: true }): Promise<void> {
  const terms = { restored: verified === true };
  await withDatabase(io, readConfig(io.env), (db) => recordBackup(db, 'other tools', terms));
  show({ io, ...options }, { recorded: true }, ['A backup of other tools is recorded.']);
}
