import type { Command } from 'commander';
import { backUp } from '../server/backup/back-up.ts';
import { createEncryption } from '../server/lib/encryption.ts';
import { version } from '../server/lib/version.ts';
import { readConfig } from '../server/start/config.ts';
import { type Shared, withDatabaseUrl } from './connection.ts';
import { show } from './output.ts';
import { showChecked } from './check.ts';
import { storageOf } from './storage.ts';
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
}

type Options = Shared & { encryptTo?: string; verify?: true; identity?: string };

async function backup(folder: string, { json, encryptTo, verify, identity }: Options): Promise<void> {
  const config = readConfig(process.env);
  const manifest = await withDatabaseUrl(config, async (url) => {
    const db = createDb(url, 2, () => {}, { patient: true });
    try {
      const keyIds = createEncryption([...new Set(config.secretKeys)]).keyIds;
      const embedded = config.databaseUrl === null ? config.dataDir : null;
      const installation = { db, url, storage: storageOf(config), embedded, bin: config.postgresBin, keyIds };
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
  if (!verify) return show(json, value, lines);
  const checked = await verifyBackup(config, folder, { identity: identity ?? null, otherKey: false });
  showChecked(json, checked, { value, lines: [...lines, 'Restored into a temporary place:'] });
}
