import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { deleteByAccount } from '../db/delete-in-batches.ts';

/** Deletes deliveries and their attempts 30 days after they ended. Their ids contain their creation time. */
export const deleteOldDeliveries = (db: Db, stopped: AbortSignal): Promise<void> =>
  deleteByAccount(db, oldDeliveries, deleteDeliveriesOf, stopped);

type Delivery = { account_id: string; endpoint_id: string; id: string };

const oldDeliveries = sql<Delivery>`
  select d.account_id, d.endpoint_id, d.id
  from webhook_endpoints e
  join webhook_deliveries d on d.account_id = e.account_id and d.endpoint_id = e.id
    and d.id < uuidv7(interval '-30 days')
  where d.done_at <= now() - interval '30 days'
  limit 1000`;

/** A delivery that ended stays ended, so nothing is asked again. */
const deleteDeliveriesOf = (accountId: string, deliveries: readonly Delivery[]) => sql`
  with ended as (
    select d.endpoint_id, d.id
    from unnest(${deliveries.map(({ endpoint_id }) => endpoint_id)}::uuid[], ${deliveries.map(({ id }) => id)}::uuid[])
      as c (endpoint_id, id)
    join webhook_deliveries d on d.account_id = ${accountId} and d.endpoint_id = c.endpoint_id and d.id = c.id
    for update of d skip locked)
  delete from webhook_deliveries d using ended e
  where d.account_id = ${accountId} and d.endpoint_id = e.endpoint_id and d.id = e.id`;
