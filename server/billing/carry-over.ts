import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import { foldEvents, type FoldedEvent } from './facts.ts';
import type { CarriedRow } from './subscription-events.ts';
import type { SubscriptionRow } from './subscription-row.ts';

type Carried = Omit<CarriedRow, 'code'>;

/**
 * How a row of the previous version counts, decided once. An active one has paid its period. Of two that the
 * version before had ended because they were unpaid, the newer one has stopped and the older one has ended.
 */
export async function carryOver(trx: Trx, row: SubscriptionRow, events: readonly FoldedEvent[]): Promise<Carried> {
  const { carried_as, carried_at, carried_start, carried_end } = row;
  if (row.state !== null) return { carried_as, carried_at, carried_start, carried_end };
  const { status, period_start: start, period_end: end, grant_created_at: granted } = row;
  if (status === 'active' && start && end && granted)
    return { carried_as: 'paid', carried_at: granted, carried_start: start, carried_end: end };
  const isUnpaid = status === 'canceled' && foldEvents(events).facts.state === 'unpaid';
  const isEnded = isUnpaid && (await hasNewerUnpaid(trx, row));
  return {
    carried_as: isEnded ? 'ended' : null,
    carried_at: isEnded ? row.event_created_at : null,
    carried_start: null,
    carried_end: null,
  };
}

async function hasNewerUnpaid(trx: Trx, { account_id, id, event_created_at }: SubscriptionRow): Promise<boolean> {
  const { rows } = await sql<{ newer: boolean }>`
    select exists (
      select from entitlements e where e.account_id = ${account_id} and e.id <> ${id}
        and (e.event_created_at, e.id) > (${event_created_at}, ${id}::uuid)
        and 'unpaid' = coalesce(e.state, (
          select v.payload->'data'->'object'->>'status' from provider_events v
          where v.subscription = e.subscription and v.account_id = e.account_id
          order by v.created_at desc, v.receipt desc limit 1))) as newer`.execute(trx);
  return rows[0]?.newer ?? false;
}
