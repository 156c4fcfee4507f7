import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';

type JobKey = { account_id: string; id: string };

/**
 * Members who ordered the job, wrote in its thread or chose to follow it. If a key ordered it, or the person
 * who did has left, and nobody follows it, the owners who have not muted it.
 */
const followersOf = ({ account_id, id }: JobKey, orderedBy: RawBuilder<string | null>) => sql`
  with follower as (
    select m.user_id from members m
    left join job_readers r on r.account_id = ${account_id} and r.job_id = ${id} and r.user_id = m.user_id
    where m.account_id = ${account_id} and coalesce(r.following, m.user_id = ${orderedBy}
      or exists (select from job_messages s where s.account_id = ${account_id} and s.job_id = ${id}
        and s.user_id = m.user_id and s.author = 'customer'), false))
  select user_id from follower
  union all
  select m.user_id from members m
  where m.account_id = ${account_id} and m.role = 'owner' and not exists (select from follower)
    and not exists (select from members c where c.account_id = ${account_id} and c.user_id = ${orderedBy})
    and not exists (select from job_readers r where r.account_id = ${account_id} and r.job_id = ${id}
      and r.user_id = m.user_id and not r.following)`;

export async function customerFollowers(trx: Trx, job: JobKey & { created_by_user: string | null }): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from (${followersOf(job, sql`${job.created_by_user}::uuid`)}) f order by user_id`.execute(trx);
  return rows.map(({ user_id }) => user_id);
}

/** The same people as an account sees them, by name. */
export async function namedFollowers(db: Db, job: JobKey) {
  const orderedBy = sql<string | null>`(
    select created_by_user from jobs where account_id = ${job.account_id} and id = ${job.id})`;
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from people where id in (${followersOf(job, orderedBy)}) order by name`.execute(db);
  return rows.map(({ id, name }) => ({ kind: 'user' as const, id: showId('user', id), name }));
}

/** The operator who last held the job, those who wrote in its thread, and those who chose to follow it. */
export async function studioFollowers(trx: Trx, job: JobKey & { operator_id: string | null }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from people u
    left join job_readers r on r.account_id = ${job.account_id} and r.job_id = ${job.id} and r.user_id = u.id
    where u.operator and coalesce(r.following, u.id = ${job.operator_id}::uuid
      or exists (select from job_messages s where s.account_id = ${job.account_id} and s.job_id = ${job.id}
        and s.user_id = u.id and s.author = 'studio'), false)
    order by u.id`.execute(trx);
  return rows.map(({ id }) => id);
}
