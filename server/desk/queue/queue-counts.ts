import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { QueueCounts } from '../../../contract/desk/queue.ts';
import type { Db } from '../../db/pool.ts';
import type { CallerOf } from '../../http/request.ts';
import { duePosition, hasParked, isOpen, isOverdue } from './desk-job.ts';
import { setAsideNow } from './set-aside.ts';

export type Counts = Static<typeof QueueCounts>;

type Row = Record<
  'open' | 'held_jobs' | 'waiting_free' | 'aside_free' | Exclude<keyof Counts, 'to_do' | 'free' | 'next_due_at'>,
  number
> & {
  next_due_at: Date | null;
};

/**
 * Counts the jobs that have not ended. `families`: null for all. Each part has an index; only the total reads
 * all open jobs.
 */
export async function queueCounts(db: Db, caller: CallerOf<'desk'>, families: string[] | null): Promise<Counts> {
  const holder =
    caller.method === 'session' ? sql`j.operator_id = ${caller.userId}` : sql`j.worker_key_id = ${caller.keyId}`;
  const ofFamilies = families === null ? sql`` : sql`and j.service_family = any(${families}::text[])`;
  const count = (condition: RawBuilder<unknown>) =>
    sql`(select count(*)::int from jobs j where ${condition} ${ofFamilies})`;
  const { rows } = await sql<Row>`
    select ${count(isOpen)} as open,
      ${count(sql`j.held_since is not null and j.operator_id is not null`)}
        + ${count(sql`j.held_since is not null and j.worker_key_id is not null`)} as held_jobs,
      ${count(sql`j.held_since is not null and ${holder}`)} as mine,
      ${count(sql`${isOpen} and j.status = 'needs_review'`)} as in_review,
      ${count(sql`${isOpen} and j.status = 'ready_for_customer_review'`)} as with_customer,
      ${count(sql`j.waiting_since is not null`)} as waiting,
      ${count(sql`j.waiting_since is not null and j.held_since is null and j.status <> 'needs_review' and not ${hasParked}`)}
        as waiting_free,
      (select count(*)::int from ${setAsideNow} where ${isOpen} and j.held_since is null and j.waiting_since is null
        and j.status <> 'needs_review' and not ${hasParked} ${ofFamilies}) as aside_free,
      ${count(hasParked)} as parked,
      ${count(sql`${isOpen} and ${duePosition} < now() and ${isOverdue}`)} as overdue,
      (select j.due_at from jobs j where ${isOpen} and ${duePosition} >= now() and j.due_at >= now() and j.due_round = j.revisions_used
        and j.status in ('queued', 'accepted', 'running') and not ${hasParked} ${ofFamilies}
        order by ${duePosition}, j.id limit 1) as next_due_at`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('A count returns one row.');
  const { open: all, held_jobs, waiting_free, aside_free, next_due_at, ...counts } = row;
  const to_do = all - counts.in_review - counts.with_customer - counts.parked;
  return {
    ...counts,
    to_do,
    free: to_do - held_jobs - waiting_free - aside_free,
    next_due_at: next_due_at?.toISOString() ?? null,
  };
}
