import { type RawBuilder, sql } from 'kysely';
import { isoTime, type Time } from '../../db/time.ts';
import { showId } from '../../lib/id.ts';

export type SetAsideRow = { reason: string; at: Time; until: Time; user_id: string; name: string };

/** Of a row `s`: until its date, unless the customer acted or the job moved since. Nothing else ends it. */
const holds = (account: RawBuilder<unknown>) => sql`s.set_aside_until > now() and not exists (
  select from events v where v.account_id = ${account} and v.job_id = s.job_id and v.job_seq > s.after_seq
    and (v.actor = 'customer' or v.status <> v.previous_status))`;

/** Of a job `j`. Looked up for each job that is asked about; with `exists`, Postgres may read all rows. */
export const isSetAside = sql<boolean>`coalesce((
  select true from jobs_set_aside s
  where s.account_id = j.account_id and s.job_id = j.id and ${holds(sql`j.account_id`)} limit 1), false)`;

/** The jobs `j` that are set aside now: few, found by the date. */
export const setAsideNow = sql`jobs_set_aside s join jobs j on j.account_id = s.account_id and j.id = s.job_id
  and ${holds(sql`s.account_id`)}`;

/** A statement about one account names it. */
export const setAsideOf = (account: RawBuilder<unknown> = sql`j.account_id`) => sql`(
  select json_build_object('reason', s.reason, 'at', s.set_aside_at, 'until', s.set_aside_until, 'user_id', s.user_id,
    'name', (select u.name from people u where u.id = s.user_id))
  from jobs_set_aside s where s.account_id = ${account} and s.job_id = j.id and ${holds(account)})`;

export const showSetAside = (row: SetAsideRow | null) =>
  row && {
    reason: row.reason,
    set_aside_at: isoTime(row.at),
    set_aside_until: isoTime(row.until),
    created_by: { kind: 'user' as const, id: showId('user', row.user_id), name: row.name },
  };
