import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { parkedAfter } from '../../contract/moves.ts';
import type { countQueue as endpoint } from '../../contract/queue.ts';
import type { Context } from '../context.ts';
import type { Request } from '../http/request.ts';
import { isOverdue } from './desk-job.ts';

type Counts = Omit<AnswerOf<typeof endpoint>['body']['counts'], 'next_due_at'> & { next_due_at: Date | null };

/** How many jobs stand in each part of the queue; only those that have not ended are looked at. */
export async function countQueue(
  { db }: Pick<Context, 'db'>,
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { service_family = null } = query;
  const { rows } = await sql<Counts>`
    select
      count(*) filter (where to_do)::int as to_do,
      count(*) filter (where to_do and held_since is null)::int as free,
      count(*) filter (where held_since is not null and operator_id = ${caller.userId})::int as mine,
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
        and (${service_family}::text is null or j.service_family = ${service_family})
    ) open`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('Counts are one row.');
  return { status: 200, body: { counts: { ...counts, next_due_at: counts.next_due_at?.toISOString() ?? null } } };
}
