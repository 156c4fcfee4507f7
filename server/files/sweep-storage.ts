import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import { type Db, databaseTime } from '../db/pool.ts';
import { checkStorage, claimStorage, daysOfGrace, isOwn, logRefused, type Refused } from './installation.ts';
import type { Storage } from './storage.ts';

type Dependencies = { db: Db; storage: Storage };

/** Least age of an orphan. */
const hoursOfYouth = 24;
const atOnce = 500;

/** A sweep of more than both limits suggests a wrong database. */
const mostOrphans = 100;
const mostShare = 0.05;

type Failed = { key: string; error: unknown };

/** `failed`: objects that could not be moved. `refused`: why nothing was moved. */
export type Sweep = { objects: number; orphans: string[]; moved: number; failed: Failed[]; refused: Refused | null };

/** Moves objects without a row to the trash, which keeps them for two weeks. */
export async function sweepStorage(
  { db, storage, log }: Dependencies & { log: FastifyBaseLogger },
  stopped: AbortSignal,
): Promise<void> {
  const { moved, failed, refused } = await sweepOrphans({ db, storage }, stopped);
  if (refused) logRefused(log, refused);
  else await emptyTrash({ db, storage }, stopped);
  for (const { key, error } of failed)
    log.error({ err: error, key }, 'could not move an object without a row to the trash');
  if (moved > 0) log.warn({ objects: moved }, 'moved objects without a row to the trash');
}

export async function sweepOrphans(
  { db, storage }: Dependencies,
  stopped: AbortSignal,
  { dryRun = false } = {},
): Promise<Sweep> {
  const none = { moved: 0, failed: [] };
  const claim = dryRun ? await checkStorage({ db, storage }) : await claimStorage({ db, storage }, { renew: true });
  if (!isOwn(claim) && !dryRun) return { objects: 0, orphans: [], ...none, refused: claim };
  const { objects, orphans, leftovers } = await inspect({ db, storage }, stopped);
  const refused = claim ?? tooMany(objects, orphans.length);
  if (dryRun) return { objects, orphans, ...none, refused };
  await storage.removeAbandoned();
  for (const key of leftovers) await storage.remove(key);
  if (refused || stopped.aborted) return { objects, orphans, ...none, refused };
  return { objects, orphans, ...(await moveToTrash({ db, storage }, orphans, stopped)), refused: null };
}

/** An object that cannot be moved is left for the next sweep. */
async function moveToTrash({ db, storage }: Dependencies, orphans: readonly string[], stopped: AbortSignal) {
  const day = (await databaseTime(db)).toISOString().slice(0, 10);
  const failed: Failed[] = [];
  let moved = 0;
  for (const key of orphans) {
    if (stopped.aborted) break;
    try {
      await storage.move(key, `trash/${day}/${key}`);
      moved += 1;
    } catch (error) {
      failed.push({ key, error });
    }
  }
  return { moved, failed };
}

function tooMany(objects: number, orphans: number): Refused | null {
  if (orphans <= mostOrphans || orphans <= objects * mostShare) return null;
  return {
    message: `The sweep stopped: ${orphans} of ${objects} objects have no row, more than 100 and 5 %.`,
    action: 'Check DATABASE_URL and STORAGE_URL. The objects are listed by: npm run admin -- storage sweep --dry-run',
    expected: false,
  };
}

/** Finds old objects that have no row, or whose row no longer needs them. */
async function inspect({ db, storage }: Dependencies, stopped: AbortSignal) {
  const seen = { objects: 0, orphans: [] as string[], leftovers: [] as string[] };
  for await (const { objects, orphans, leftovers } of judgedObjects({ db, storage }, hoursOfYouth, stopped)) {
    seen.objects += objects;
    seen.orphans.push(...orphans);
    seen.leftovers.push(...leftovers);
  }
  return seen;
}

type Judged = { objects: number; orphans: string[]; leftovers: string[] };

/** Objects of at least this age, some hundred at once. */
export async function* judgedObjects(
  { db, storage }: Dependencies,
  hours: number,
  stopped: AbortSignal,
): AsyncGenerator<Judged> {
  const before = new Date((await databaseTime(db)).getTime() - hours * 3_600_000);
  let keys: string[] = [];
  for await (const key of storage.keysBefore(before)) {
    if (stopped.aborted) break;
    keys.push(key);
    if (keys.length < atOnce) continue;
    yield { objects: keys.length, ...(await judgeKeys(db, keys)) };
    keys = [];
  }
  yield { objects: keys.length, ...(await judgeKeys(db, keys)) };
}

/** An upload's key contains the file's id. The keys of a completed file and its poster are in its row. */
export async function judgeKeys(db: Db, keys: readonly string[]): Promise<{ orphans: string[]; leftovers: string[] }> {
  const { rows } = await sql<{ key: string; orphan: boolean }>`
    select key, not exists (select from files where object_key = key or poster_key = key or viewing_key = key)
      and not exists (select from files where id = substring(key from '^uploads/(.{36})')::uuid) as orphan
    from unnest(${keys}::text[]) as key
    where not exists (
        select from files where (object_key = key or poster_key = key or viewing_key = key) and status = 'uploaded')
      and not exists (select from files where id = substring(key from '^uploads/(.{36})')::uuid
        and status = 'pending_upload')`.execute(db);
  const keysOf = (orphan: boolean) => rows.filter((row) => row.orphan === orphan).map(({ key }) => key);
  return { orphans: keysOf(true), leftovers: keysOf(false) };
}

async function emptyTrash({ db, storage }: Dependencies, stopped: AbortSignal): Promise<void> {
  const time = (await databaseTime(db)).getTime() - daysOfGrace * 24 * 3_600_000;
  const last = `trash/${new Date(time).toISOString().slice(0, 10)}/`;
  for await (const key of storage.trashKeys()) {
    if (stopped.aborted) return;
    if (key.slice(0, last.length) < last) await storage.remove(key);
  }
}

/** Objects without a row are swept again a day later. */
export async function restoreTrash(storage: Storage): Promise<number> {
  let restored = 0;
  for await (const key of storage.trashKeys()) {
    await storage.move(key, key.slice('trash/2026-01-01/'.length));
    restored += 1;
  }
  return restored;
}
