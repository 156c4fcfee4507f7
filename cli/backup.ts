import type { Command } from 'commander';
import { basename, resolve } from 'node:path';
import { backUp } from '../server/backup/back-up.ts';
import { recordBackup } from '../server/backup/last-backup.ts';
import { createEncryption } from '../server/lib/encryption.ts';
import { version } from '../server/lib/version.ts';
import { type Config, readConfig } from '../server/start/config.ts';
import { withDatabase, withDatabaseUrl } from './connection.ts';
import { type Io, print, type Shared, show } from './output.ts';
import { showChecked } from './check.ts';
import { storageFor } from './storage.ts';
import { verifyBackup } from './verify-backup.ts';
import { createDb } from '../server/db/pool.ts';

export function backupCommand(program: Command): void {
  program
    .command('backup')
    .description('write database and files into a new folder; the service may run')
    .argument('<folder>', 'a folder that does not exist yet')
    .option('--encrypt-to <recipient>', 'encrypt each part to a public key of age')
    .option('--verify', 'restore it into a temporary place and check it there')
    .option('--identity <file>', 'with --verify and --encrypt-to: the file with the age identity')
    .action(async (folder: string, _, command: Command) => backup(folder, command.optsWithGlobals()));
  program
    .command('record-backup')
    .description('record that other tools have just made a backup, for the doctor and the alerts')
    .action(async (_, command: Command) => recordOther(command.optsWithGlobals()));
}

type Options = Shared & { encryptTo?: string; verify?: true; identity?: string };

async function backup(folder: string, options: Options): Promise<void> {
  const { io, encryptTo, verify, identity } = options;
  const config = readConfig(io.env);
  const manifest = await withDatabaseUrl(io, config, async (url) => {
    const db = createDb(url, 2, () => {}, { patient: true });
    try {
      const keyIds = createEncryption([...new Set(config.secretKeys)]).keyIds;
      const embedded = config.databaseUrl === null ? config.dataDir : null;
      const { publicUrl, postgresBin: bin } = config;
      const installation = { db, url, publicUrl, storage: await storageFor(db, config), embedded, bin, keyIds };
      return await backUp(installation, folder, { version, recipient: encryptTo ?? null });
    } finally {
      await db.destroy();
    }
  });
  const lines = [
    `${folder} has the database and ${manifest.objects} files, ${manifest.bytes} bytes.`,
    `SECRET_KEY ${manifest.secret_key_ids.join(' and ')} is not in it: keep it apart, the backup is useless without it.`,
  ];
  const value = { backup: { folder, ...manifest } };
  if (!verify) {
    show(options, value, lines);
    return record(io, config, folder, { restored: false });
  }
  const checked = await verifyBackup(io, config, folder, { identity: identity ?? null, otherKey: false, place: null });
  showChecked(options, checked, { value, lines: [...lines, 'Restored into a temporary place:'] });
  await record(io, config, folder, { restored: true });
}

/** A complete backup is no failure because the database takes no writes just now. */
async function record(io: Io, config: Config, folder: string, terms: { restored: boolean }): Promise<void> {
  try {
    await withDatabase(io, config, (db) => recordBackup(db, basename(resolve(folder)), terms));
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    print(io, `The backup is complete, but could not be recorded: ${words}. Run: npm run admin -- record-backup`);
  }
}

async function recordOther(options: Shared): Promise<void> {
  const { io } = options;
  await withDatabase(io, readConfig(io.env), (db) => recordBackup(db, 'other tools', { restored: false }));
  show(options, { recorded: true }, ['A backup of other tools is recorded.']);
}
