import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';

type JobKey = { account_id: string; id: string };

/**
 * Members who ordered the job, wrote in its thread or chose to follow it. If a key ordered it, or the person
 * who did has left, and nobody follows it, the owners who have not muted it.
 */
const followersOf = (accountId: string, jobId: RawBuilder<unknown>, maker: RawBuilder<unknown>) => sql<string>`
  with member as (
    select m.user_id, m.role, r.following from members m
    left join lateral (select following from job_readers
      where account_id = ${accountId} and job_id = ${jobId} and user_id = m.user_id limit 1) r on true
    where m.account_id = ${accountId}),
  follower as (
    select m.user_id from member m where coalesce(m.following, m.user_id = ${maker}
      or (select true from job_messages s where s.account_id = ${accountId} and s.job_id = ${jobId}
        and s.user_id = m.user_id and s.author = 'customer' order by s.id limit 1), false))
  select user_id from follower
  union all
  select m.user_id from member m
  where m.role = 'owner' and m.following is distinct from false and not exists (select from follower)
    and not exists (select from member c where c.user_id = ${maker})`;

export async function customerFollowers(trx: Trx, job: JobKey & { created_by_user: string | null }): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from (${followersOf(job.account_id, sql`${job.id}`, sql`${job.created_by_user}::uuid`)}) f
    order by user_id`.execute(trx);
  return rows.map(({ user_id }) => user_id);
}

/** A job with the same people as its account sees them, by name; undefined if the account has no such job. */
export async function findFollowedJob(db: Db, accountId: string, jobId: string | null) {
  const { rows } = await sql<{ id: string; followers: { id: string; name: string }[] }>`
    select j.id, array(
      select json_build_object('id', f.user_id, 'name', (select u.name from people u where u.id = f.user_id))
      from (${followersOf(accountId, sql`j.id`, sql`j.created_by_user`)}) f
      order by (select u.name from people u where u.id = f.user_id), f.user_id) as followers
    from jobs j where j.account_id = ${accountId} and j.id = ${jobId}`.execute(db);
  return (
    rows[0] && {
      id: rows[0].id,
      followers: rows[0].followers.map(({ id, name }) => ({ kind: 'user' as const, id: showId('user', id), name })),
    }
  );
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
