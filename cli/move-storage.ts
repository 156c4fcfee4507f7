import type { Command } from 'commander';
import { setTimeout as wait } from 'node:timers/promises';
import { isMarkedCopy } from '../server/backup/copy.ts';
import type { Db } from '../server/db/pool.ts';
import { type Move, readMove, readProblem } from '../server/files/installation.ts';
import { type Moved, moveObjects } from '../server/files/move-objects.ts';
import { beginMove, endMove, refuseSource, refuseUnclaimed, refuseUnswitched } from '../server/files/move-storage.ts';
import { type Place, placeOf } from '../server/files/places.ts';
import { deadlines } from '../server/lib/deadlines.ts';
import { nameOf, type StorageConfig } from '../server/files/storage-config.ts';
import { createSigner } from '../server/lib/signer.ts';
import { type Config, readConfig } from '../server/start/config.ts';
import { withDatabase } from './connection.ts';
import { Failure, print, type Shared, show } from './output.ts';

export function moveCommand(storage: Command): void {
  storage
    .command('move [to]')
    .description(
      'copy the files to another storage while the service runs: file:/folder or s3://bucket?endpoint=…; ' +
        'repeat it as you like, and end the move once all processes have the new STORAGE_URL',
    )
    .option('--verify', 'also compare the bytes of what is there already')
    .option('--end', 'copy the rest, and leave the old storage')
    .action(async (to: string | undefined, _, command: Command) => move(to, command.optsWithGlobals()));
}

const longestRequest = deadlines.request.answer + deadlines.request.effect + 1_000;

type Options = Shared & { verify?: true; end?: true };
type Parts = { db: Db; config: Config; options: Options };

async function move(to: string | undefined, options: Options): Promise<void> {
  const { io } = options;
  const config = readConfig(io.env);
  await withDatabase(
    io,
    config,
    async (db) => {
      if (config.outboundOff || (await isMarkedCopy(db)))
        throw new Failure('This is a copy: its files are not moved.', 'Name a new storage in STORAGE_URL.');
      const parts = { db, config, options };
      await (options.end ? end(parts) : copy(parts, to));
    },
    { patient: true },
  );
}

const openIn =
  ({ secretKeys, publicUrl }: Config) =>
  (storage: StorageConfig): Place =>
    placeOf(storage, createSigner(secretKeys), publicUrl);

async function copy({ db, config, options }: Parts, to: string | undefined): Promise<void> {
  const open = openIn(config);
  const target =
    to === undefined ? (await readMove(db))?.to : readConfig({ ...options.io.env, STORAGE_URL: to }).storage;
  if (!target) throw new Failure('No move is under way.', 'Name the new storage, as STORAGE_URL does.');
  const begun = await beginMove(db, open(config.storage), open(target));
  const { lines, value } = await copyNow({ db, config, options }, begun, false);
  const problem = await readProblem(db);
  show(options, { storage: { move: value } }, [
    ...lines,
    ...(problem === null ? [] : [problem]),
    `Next: set STORAGE_URL=${nameOf(begun.to)} for all processes, and restart them in turn. Then run: npm run admin -- storage move --end`,
  ]);
}

async function end({ db, config, options }: Parts): Promise<void> {
  const begun = await readMove(db);
  if (!begun) throw new Failure('No move is under way.', 'There is nothing to do.');
  await refuseUnswitched(db, config.storage, begun);
  let pass = await copyNow({ db, config, options }, begun, true);
  // A request that found its upload in the old storage only may still write its file there.
  for (let copied = pass.value.waiting; copied > 0; copied = pass.value.copied) {
    await wait(longestRequest);
    pass = await copyNow({ db, config, options }, begun, true);
  }
  const { lines, value } = pass;
  await refuseUnswitched(db, config.storage, (await readMove(db)) ?? begun);
  await endMove(db, openIn(config)(begun.from));
  show(options, { storage: { move: value } }, [
    ...lines,
    `The move has ended. Nothing reads ${nameOf(begun.from)} any more: keep it until your next backup, then delete it.`,
  ]);
}

/** Throws if something could not be copied. What is in neither storage was lost before. */
async function copyNow({ db, config, options }: Parts, { from, to }: Move, uploads: boolean) {
  const open = openIn(config);
  const began = performance.now();
  let said = began;
  const progress = (moved: Moved) => {
    if (performance.now() - said < 5_000) return;
    said = performance.now();
    print(options.io, sayOf(moved, began));
  };
  await refuseSource(db, open(from));
  await refuseUnclaimed(db, open(to));
  const moved = await moveObjects(db, open(from), open(to), { uploads, verify: options.verify === true, progress });
  const { failed, missing, ...counts } = moved;
  for (const line of failed) print(options.io, `Not copied: ${line}`);
  for (const key of missing) print(options.io, `In neither storage: ${key}`);
  if (failed.length > 0)
    throw new Failure(
      `${failed.length} objects could not be copied. ${sayOf(moved, began)}`,
      'Repeat this: it goes on where it stopped.',
    );
  const value = { from: nameOf(from), to: nameOf(to), ...counts, mb_per_second: speedOf(moved, began), missing };
  const lost =
    missing.length === 0 ? [] : [`${missing.length} are in neither storage: npm run admin -- check names their files.`];
  return { value, lines: [`${nameOf(to)}: ${sayOf(moved, began)}`, ...lost] };
}

const speedOf = ({ bytes }: Moved, began: number): number =>
  Number((bytes / 1_000 / Math.max(performance.now() - began, 1)).toFixed(1));

const sayOf = (moved: Moved, began: number): string =>
  `${moved.objects.toLocaleString('en')} objects are there, ${moved.copied.toLocaleString('en')} copied now: ` +
  `${(moved.bytes / 1_000_000).toFixed(1)} MB, ${speedOf(moved, began)} MB/s.`;
