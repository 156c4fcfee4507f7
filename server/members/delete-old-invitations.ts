import { sql } from 'kysely';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import type { Db } from '../db/pool.ts';

/** An invitation is deleted 90 days after the time until which it could be accepted. */
export const deleteOldInvitations = (db: Db, stopped: AbortSignal): Promise<void> =>
  deleteInBatches(
    db,
    sql`delete from invitations where id in (
      select id from invitations where expires_at <= now() - interval '90 days' limit 1000 for update skip locked)`,
    stopped,
  );
