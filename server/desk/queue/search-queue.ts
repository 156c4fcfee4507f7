import { type RawBuilder, sql } from 'kysely';
import { cleanEmail } from '../../../contract/typed.ts';
import { containing } from '../../db/containing.ts';
import type { Db } from '../../db/pool.ts';
import { isUnindexed, wordsOfJob } from './index-jobs.ts';

/** Up to this many matches are looked up by id. With more of them, a page of the list soon has enough. */
const mostIds = 2_000;

/** Jobs whose title, brief, files, account or members match. For statements that select from `jobs j`. */
export async function matchesSearch(db: Db, q: string): Promise<RawBuilder<boolean>> {
  const query = sql`words_query(${q})`;
  const { rows } = await sql<{ id: string }>`
    select id from (
      select w.job_id as id from job_words w where w.words @@ ${query}
      union all
      select j.id from (select * from jobs j where ${isUnindexed} order by j.created_at desc limit ${mostIds}) j
      where ${wordsOfJob} @@ ${query}
      union all
      select f.job_id from files f where ${isOfJob} and words_of(f.file_name) @@ ${query}
      union all
      select j.id from jobs j where j.account_id in ${accountsLike(q)}
    ) matching limit ${mostIds + 1}`.execute(db);
  if (rows.length <= mostIds) return sql<boolean>`j.id = any(${[...new Set(rows.map((row) => row.id))]}::uuid[])`;
  return matchesEach(q);
}

/** The same, tested job by job. With `exists`, Postgres collects all matches first. */
export function matchesEach(q: string): RawBuilder<boolean> {
  const query = sql`words_query(${q})`;
  return sql<boolean>`(
    (select true from job_words w
      where w.account_id = j.account_id and w.job_id = j.id and w.words @@ ${query} limit 1) is not null
    or (${isUnindexed} and ${wordsOfJob} @@ ${query})
    or (select true from files f where f.account_id = j.account_id and f.job_id = j.id and ${isOfJob}
      and words_of(f.file_name) @@ ${query} limit 1) is not null
    or j.account_id in ${accountsLike(q)})`;
}

/** Every job has copies of the brand kit: their names tell no job from another. */
const isOfJob = sql<boolean>`f.job_id is not null and f.brand_position is null`;

const accountsLike = (q: string) => sql`(
  select a.id from accounts a where a.name ilike ${containing(q)}
  union all
  select m.account_id from members m join people u on u.id = m.user_id where u.email ilike ${containing(cleanEmail(q))})`;
