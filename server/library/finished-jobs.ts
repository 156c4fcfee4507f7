import { type RawBuilder, sql } from 'kysely';
import type { LibraryFilters } from '../../contract/files/library.ts';
import type { Position } from '../db/cursor.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { jobUuid } from '../jobs/job.ts';
import { readFilters } from './filter.ts';

/** When the job was completed. Its outcome has the same time as the job, in an index of its own. */
export const finishedAt = sql<Date>`o.ended_at`;

/** What of a list, newest first, comes after the page that ended `before`. */
export const isAfter = (before: Position | null, at: RawBuilder<Date>, id: RawBuilder<string>) =>
  before === null ? sql<boolean>`true` : sql<boolean>`(${at}, ${id}) < (${before.at}, ${before.id}::uuid)`;

/**
 * Completed jobs `j` of an account, newest first. The outcomes have the order, and each job is found by key,
 * so that a page reads no more of a large account than of a small one.
 */
export const finishedJobs = (
  accountId: string,
  { where, before = null, limit }: { where: RawBuilder<boolean>; before?: Position | null; limit: number },
) => sql`
  select j.*, o.ended_at as at from job_outcomes o
  cross join lateral (select * from jobs where account_id = ${accountId} and id = o.job_id limit 1) j
  where o.account_id = ${accountId} and o.status = 'completed'
    and ${isAfter(before, finishedAt, sql`o.job_id`)} and ${where}
  order by o.ended_at desc, o.job_id desc limit ${limit}`;

type Chosen = LibraryFilters & { job_ids?: string[] };

/** The completed jobs that a request names, or all that its filters leave. Other jobs do not exist. */
export async function chooseJobs(
  db: Db | Trx,
  accountId: string,
  { job_ids, ...filters }: Chosen,
  { most, what }: { most: number; what: string },
): Promise<string[]> {
  const { where } = readFilters(accountId, filters, finishedAt);
  const ids = job_ids?.map(jobUuid);
  const all = ids ? sql<boolean>`(${where} and o.job_id = any(${ids}::uuid[]))` : where;
  const { rows } = await sql<{ id: string }>`
    select id from (${finishedJobs(accountId, { where: all, limit: most + 1 })}) j`.execute(db);
  if (ids && rows.length < ids.length) throw new Refusal('job_not_found');
  if (rows.length > most)
    throw new Refusal('limit_reached', {
      message: `These are more than ${most} jobs, which is the most that ${what} takes.`,
      action: 'Narrow the filters, or name the jobs in `job_ids`.',
    });
  return rows.map(({ id }) => id);
}
