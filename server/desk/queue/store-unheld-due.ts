import { sql } from 'kysely';
import { dueSoonHours } from '../../../contract/desk/alerts.ts';
import { rolesWith } from '../../../contract/desk/operator-roles.ts';
import { type Db, transact, type Trx } from '../../db/pool.ts';
import { newId } from '../../lib/id.ts';
import { notify } from '../../notifications/notify.ts';
import { settleUnheld, updateUnheld } from '../../notifications/notification.ts';
import { duePosition, isOpen } from './desk-job.ts';

/** `since` is when the last of the jobs became due soon, or overdue. */
type Counted = { user_id: string; overdue: number; due_soon: number; since: Date | null };

/** One line tells leads and owners how many late jobs of their services nobody holds. */
export async function storeUnheldDue(db: Db, stopped: AbortSignal): Promise<void> {
  for (const counted of await countUnheldDue(db)) {
    if (stopped.aborted) return;
    await transact(db, (trx) => tellUnheldDue(trx, counted));
  }
}

async function countUnheldDue(db: Db): Promise<Counted[]> {
  const dueSoon = sql`make_interval(hours => ${sql.lit(dueSoonHours)})`;
  const { rows } = await sql<Counted>`
    with late as (
      select j.service_family, count(*) filter (where j.due_at <= now()) as overdue,
        count(*) filter (where j.due_at > now()) as due_soon,
        max(case when j.due_at <= now() then j.due_at else j.due_at - ${dueSoon} end) as since
      from jobs j
      where ${isOpen} and ${duePosition} <= now() + ${dueSoon} and j.due_at is not null
        and j.due_round = j.revisions_used and j.status in ('queued', 'accepted', 'running') and j.held_since is null
      group by j.service_family)
    select u.id as user_id, coalesce(sum(l.overdue), 0)::int as overdue, coalesce(sum(l.due_soon), 0)::int as due_soon,
      max(l.since) as since
    from people u
    left join operator_settings o on o.user_id = u.id
    left join late l on u.operator_role = any(${rolesWith('direct')}::text[])
      and (o.service_families is null or l.service_family = any(o.service_families))
    where u.operator_role is not null
    group by u.id order by u.id`.execute(db);
  return rows;
}

/** The unseen line follows the count. Once seen, a new one tells of more jobs, at most once an hour. */
async function tellUnheldDue(trx: Trx, { user_id, overdue, due_soon, since }: Counted): Promise<void> {
  const count = overdue + due_soon;
  if (count === 0) return settleUnheld(trx, user_id);
  const are = (count: number) => `${count} ${count === 1 ? 'is' : 'are'}`;
  const about = [overdue > 0 && `${are(overdue)} overdue`, due_soon > 0 && `${are(due_soon)} due within two hours`]
    .filter(Boolean)
    .join(' and ');
  if (await updateUnheld(trx, user_id, { count, since, about })) return;
  await notify(trx, [user_id], { kind: 'unheld_due', cause: newId(), accountId: null, state: String(count), about });
}
