import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';

/** Deletes deliveries and their attempts 30 days after they ended. Their ids contain their creation time. */
export const deleteOldDeliveries = (db: Db, stopped: AbortSignal): Promise<void> =>
  deleteInBatches(
    db,
    sql`
      delete from webhook_deliveries where (account_id, endpoint_id, id) in (
        select d.account_id, d.endpoint_id, d.id
        from webhook_endpoints e
        join webhook_deliveries d on d.account_id = e.account_id and d.endpoint_id = e.id
          and d.id < uuidv7(interval '-30 days')
        where d.done_at <= now() - interval '30 days'
        limit 1000 for update of d skip locked)`,
    stopped,
  );
