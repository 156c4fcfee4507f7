import { sql } from 'kysely';
import type { Static } from 'typebox';
import { parkedAfter } from '../../contract/moves.ts';
import type { QueueCounts } from '../../contract/queue.ts';
import type { Db } from '../db/pool.ts';
import type { CallerOf } from '../http/caller.ts';
import { isOverdue } from './desk-job.ts';

export type Counts = Static<typeof QueueCounts>;

/** Counts the jobs that have not ended. `families`: null for all. */
export async function queueCounts(db: Db, caller: CallerOf<'desk'>, families: string[] | null): Promise<Counts> {
  const me = caller.method === 'session' ? caller.userId : caller.keyId;
  const { rows } = await sql<Omit<Counts, 'next_due_at'> & { next_due_at: Date | null }>`
    select
      count(*) filter (where to_do)::int as to_do,
      count(*) filter (where to_do and held_since is null)::int as free,
      count(*) filter (where held_since is not null and ${me} in (operator_id, worker_key_id))::int as mine,
      count(*) filter (where status = 'needs_review')::int as in_review,
      count(*) filter (where status = 'ready_for_customer_review')::int as with_customer,
      count(*) filter (where parked)::int as parked,
      count(*) filter (where overdue)::int as overdue,
      min(due_at) filter (where to_do and not ever_released and not overdue) as next_due_at
    from (
      select j.*, ${isOverdue} as overdue,
        j.status = 'queued' and j.lease_expiries >= ${parkedAfter} as parked,
        j.status in ('accepted', 'running') or (j.status = 'queued' and j.lease_expiries < ${parkedAfter}) as to_do
      from jobs j
      where j.status not in ('completed', 'rejected', 'canceled')
        and (${families}::text[] is null or j.service_family = any(${families}::text[]))
    ) open`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('A count returns one row.');
  return { ...counts, next_due_at: counts.next_due_at?.toISOString() ?? null };
}
