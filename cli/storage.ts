import type { Command } from 'commander';
import { isMarkedCopy } from '../server/backup/copy.ts';
import { type Config, readConfig } from '../server/start/config.ts';
import type { Db } from '../server/db/pool.ts';
import { createStorage } from '../server/files/create-storage.ts';
import { adoptStorage, moveWords, readMove, refuseEmpty } from '../server/files/installation.ts';
import { placesOf, storageIn } from '../server/files/places.ts';
import type { Storage } from '../server/files/storage.ts';
import { restoreTrash, sweepOrphans } from '../server/files/sweep-storage.ts';
import { createSigner } from '../server/lib/signer.ts';
import { withDatabase } from './connection.ts';
import { moveCommand } from './move-storage.ts';
import { Failure, type Io, type Shared, show, wordsOf } from './output.ts';

export function storageCommands(program: Command): void {
  const storage = program.command('storage').description('the files of customers and studio');
  storage
    .command('sweep')
    .description('move objects without a row in the database to the trash, as the service does every hour')
    .option('--dry-run', 'only list them')
    .option('--restore', 'restore everything in the trash')
    .action(async (_, command: Command) => sweep(command.optsWithGlobals()));
  storage
    .command('adopt')
    .description('record that the files of the storage belong to this database, after a restore or a move')
    .option('--empty', 'also if it is empty, because the files are lost for good')
    .action(async (_, command: Command) => adopt(command.optsWithGlobals()));
  moveCommand(storage);
}

export type Dependencies = { db: Db; storage: Storage };

export function withStorage<T>(
  io: Io,
  config: Config,
  use: (dependencies: Dependencies) => Promise<T>,
  terms: { patient?: boolean } = {},
): Promise<T> {
  return withDatabase(io, config, async (db) => use({ db, storage: await storageFor(db, config) }), terms);
}

/** Also in the other storage, while the files are moved. */
export async function storageFor(db: Db, config: Config): Promise<Storage> {
  const isCopy = config.outboundOff || (await isMarkedCopy(db).catch(() => false));
  const { publicUrl, secretKeys } = config;
  const places = placesOf(db, config.storage, { signer: createSigner(secretKeys), publicUrl, isCopy });
  return storageIn(places, places.own.storage);
}

export const storageOf = (config: Config): Storage =>
  createStorage(config.storage, createSigner(config.secretKeys), config.publicUrl);

async function sweep(options: Shared & { dryRun?: true; restore?: true }): Promise<void> {
  const { io, dryRun, restore } = options;
  const config = readConfig(io.env);
  if (dryRun && restore) throw new Failure('--dry-run and --restore cannot be combined.', 'Use one of them.');
  if (restore) {
    const restored = await withStorage(io, config, ({ storage }) => restoreTrash(storage));
    return show(options, { storage: { restored } }, [
      `${restored} objects were restored from the trash. Those without a row are swept again in a day.`,
    ]);
  }
  const swept = await withStorage(io, config, (parts) =>
    sweepOrphans(parts, new AbortController().signal, { dryRun: dryRun ?? false }),
  );
  const { objects, orphans, moved, failed, refused } = swept;
  const lines = dryRun
    ? [...orphans, `${orphans.length} of ${objects} objects older than a day have no row.`]
    : [`${moved} of ${objects} objects older than a day had no row, and stay in the trash for 14 days.`];
  if (refused && !dryRun) throw new Failure(refused.message, refused.action);
  show(options, { storage: { objects, orphans, moved, refused: refused?.message ?? null } }, [
    ...lines,
    ...failed.map(({ key, error }) => `Not moved: ${key}: ${wordsOf(error)}`),
    ...(refused ? [refused.message, refused.action] : []),
  ]);
}

async function adopt(options: Shared & { empty?: true }): Promise<void> {
  const { io, empty } = options;
  const id = await withStorage(io, readConfig(io.env), async (parts) => {
    const move = empty ? null : await readMove(parts.db);
    if (move) throw new Failure(moveWords(move), 'End it. Only if its other storage is lost for good, add --empty.');
    const refused = empty ? null : await refuseEmpty(parts);
    if (refused) throw new Failure(refused.message, refused.action);
    return adoptStorage(parts);
  });
  show(options, { storage: { installation: id } }, [`The files of the storage belong to this database, ${id}.`]);
}
