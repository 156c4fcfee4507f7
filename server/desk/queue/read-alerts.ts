import { type RawBuilder, sql } from 'kysely';
import { dueSoonHours, type readAlerts as endpoint } from '../../../contract/desk/alerts.ts';
import { type Db, databaseTime } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { showId } from '../../lib/id.ts';
import { duePosition, hasParked, isOpen } from './desk-job.ts';

type Kind = AnswerOf<typeof endpoint>['body']['alerts'][number]['kind'];
type AlertRow = {
  user_id: string;
  kind: Kind;
  raised_at: Date;
  job_id: string;
  customer_title: string;
  account_id: string;
  account_name: string;
  cause: string;
};
type ShownAlert = Omit<AlertRow, 'user_id' | 'cause'>;

const most = 50;

/** Milliseconds. A change has the time at which its transaction began, and is read once that has ended. */
const late = 10_000;

/** Computed from the current state. A task stores the alerts of operators as notifications. */
export async function readAlerts(
  { db }: { db: Db },
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { raised_after } = query;
  const now = await databaseTime(db);
  if (raised_after === undefined) return { status: 200, body: { alerts: [], read_until: now.toISOString() } };
  const since = sql<Date>`greatest(${raised_after}::timestamptz, now() - interval '1 day')`;
  const computed = await findAlerts(db, since, sql`u.id = ${caller.userId}`, most);
  const stored = await listStored(db, caller.userId, since);
  const alerts = [...computed, ...stored]
    .toSorted((a, b) => b.raised_at.getTime() - a.raised_at.getTime())
    .slice(0, most);
  const read_until = new Date(now.getTime() - late).toISOString();
  return { status: 200, body: { alerts: alerts.map(showAlert), read_until } };
}

/** What moves told the operator, unless they have seen it or it no longer holds. */
async function listStored(db: Db, userId: string, since: RawBuilder<Date>): Promise<ShownAlert[]> {
  const { rows } = await sql<ShownAlert>`
    select n.kind, n.created_at as raised_at, n.job_id, n.about as customer_title, n.account_id, a.name as account_name
    from notifications n join accounts a on a.id = n.account_id
    where n.user_id = ${userId} and n.side = 'desk' and n.job_id is not null and n.read_at is null
      and n.created_at > ${since}
    order by n.created_at desc, n.id limit ${most}`.execute(db);
  return rows;
}

const showAlert = ({ kind, raised_at, job_id, customer_title, account_id, account_name }: ShownAlert) => ({
  kind,
  raised_at: raised_at.toISOString(),
  job_id: showId('job', job_id),
  customer_title,
  account: { id: showId('acct', account_id), name: account_name },
});

/** What identifies an alert to a person. For rows `n` of kind, job and time. */
const causeOf = sql`n.kind || ' ' || n.job_id || ' ' || extract(epoch from max(n.at))`;

/** For operators who do not have the alert yet and have not muted the job. */
export const isNew = sql<boolean>`not exists (select from notifications t
  where t.user_id = n.user_id and t.kind = n.kind and t.cause = ${causeOf})
  and not exists (select from job_readers r
    where r.account_id = n.account_id and r.job_id = n.job_id and r.user_id = n.user_id and r.following = false)`;

/** The newest alerts of some operators `u`; of several of one kind about a job, the last one. */
export async function findAlerts(
  db: Db,
  since: RawBuilder<Date>,
  whose: RawBuilder<unknown>,
  atMost: number,
  which: RawBuilder<boolean> = sql`true`,
): Promise<AlertRow[]> {
  const dueSoon = sql`make_interval(hours => ${sql.lit(dueSoonHours)})`;
  const { rows } = await sql<AlertRow>`
    with raised as (
      select v.account_id, v.job_id, case when v.actor = 'worker' then 'given_back' else v.type end as kind, v.created_at as at, v.user_id as caused_by
      from events v
      -- The index of types leaves out job.created, and is used only by a statement that does so, too.
      where v.type in ('job.revision_requested', 'job.question_answered', 'job.requeued') and v.type <> 'job.created'
        and v.created_at > ${since} and (v.type <> 'job.requeued' or v.actor in ('service', 'worker'))
      union all
      select j.account_id, j.id, 'handed_over', a.created_at, a.user_id
      from audit_log a
      join people u on ${whose}
      join jobs j on j.operator_id = u.id and j.held_since is not null
        and j.account_id = a.account_id and j.held_since = a.created_at
      where a.action = 'job.held' and a.created_at > ${since}
      union all
      select j.account_id, j.id, case when j.due_at <= now() then 'overdue' else 'due_soon' end,
        case when j.due_at <= now() then j.due_at else greatest(j.due_at - ${dueSoon}, j.created_at) end, null
      from jobs j
      where ${isOpen} and ${duePosition} > ${since} and ${duePosition} <= now() + ${dueSoon}
        and j.due_at is not null and j.due_round = j.revisions_used
        and j.status in ('queued', 'accepted', 'running', 'needs_review')
    ),
    named as (
      select u.id as user_id, j.account_id, j.id as job_id, j.customer_title, r.at,
        case r.kind
          when 'job.revision_requested' then
            case when j.status in ('accepted', 'running') then 'revision_requested' end
          when 'job.question_answered' then
            case when j.waiting_since is null and j.status in ('queued', 'accepted', 'running', 'needs_review')
              then 'question_answered' end
          when 'given_back' then case when ${hasParked} then 'parked' end
          when 'job.requeued' then
            case when ${hasParked} then 'parked' when j.status = 'queued' then 'lease_lost' end
          else r.kind
        end as kind
      from raised r
      join jobs j on j.account_id = r.account_id and j.id = r.job_id
      join people u on ${whose} and u.id is distinct from r.caused_by
      left join operator_settings o on o.user_id = u.id
      where r.at > ${since} and case
        when j.held_since is not null and j.operator_id is not null then j.operator_id = u.id
        else r.kind not in ('due_soon', 'overdue') and (o.service_families is null or j.service_family = any(o.service_families))
      end
    )
    select n.user_id, n.kind, max(n.at) as raised_at, n.job_id, n.customer_title, n.account_id,
      a.name as account_name, ${causeOf} as cause
    from named n join accounts a on a.id = n.account_id
    where n.kind is not null
    group by n.user_id, n.kind, n.job_id, n.customer_title, n.account_id, a.name
    having ${which}
    order by max(n.at) desc, n.job_id, n.kind
    limit ${atMost}`.execute(db);
  return rows;
}
