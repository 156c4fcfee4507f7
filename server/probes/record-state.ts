import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Storage } from '../files/storage.ts';
import { countState, type StateFigures } from './count-state.ts';

/** A scheduled task, so that one process counts for all. `bucket`: the storage is not a folder. */
export async function recordState({
  db,
  storage,
  bucket,
}: {
  db: Db;
  storage: Storage;
  bucket: boolean;
}): Promise<void> {
  const storage_up = bucket ? await answers(storage) : null;
  const figures: StateFigures = { ...(await countState(db)), storage_up };
  await sql`
    insert into state_figures (only_row, figures, counted_at) values (true, ${JSON.stringify(figures)}::jsonb, now())
    on conflict (only_row) do update set figures = excluded.figures, counted_at = excluded.counted_at`.execute(db);
}

/** Signing an upload asks the bucket nothing, so without this nobody would notice that it is away. */
async function answers(storage: Storage): Promise<boolean> {
  try {
    await storage.readOwner();
    return true;
  } catch {
    return false; // the reason is in the log of whoever needs the storage
  }
}
