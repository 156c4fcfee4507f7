import { sql } from 'kysely';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import type { Db } from '../db/pool.ts';

const [keptDays, atOnce] = [90, 5_000];

export const deleteOldNotifications = (db: Db, stopped: AbortSignal): Promise<void> =>
  deleteInBatches(
    db,
    sql`delete from notifications where id in (
      select id from notifications where created_at < now() - make_interval(days => ${keptDays}) limit ${atOnce})`,
    stopped,
  );
