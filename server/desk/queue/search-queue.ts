import { type RawBuilder, sql } from 'kysely';
import { cleanEmail } from '../../../contract/typed.ts';
import { containing } from '../../db/containing.ts';
import type { Db } from '../../db/pool.ts';

/** Up to this many matches are looked up by id. With more of them, a page of the list soon has enough. */
const mostIds = 2_000;
/** Of jobs without stored words, so many of the newest are searched. */
export const mostUnindexed = 2_000;
/** A part of a word may be in any number of names; of so many of them the jobs are found. */
const mostNames = 1_000;

/** What is searched: the words of a job, and of a file name. Null matches nothing. */
type Words = { job: string | null; file: string | null };

/**
 * In any order, each word begins a word of the job, or is part of the name of the person who ordered it, or of the name, an
 * address or the owner's name of its account.
 */
export async function readWords(db: Db, q: string): Promise<Words> {
  const typed = [...new Set(q.trim().split(/\s+/))].map((word) => ({
    word,
    name: containing(word),
    email: containing(cleanEmail(word)),
  }));
  const { rows } = await sql<Words>`
    select string_agg('(' || concat_ws(' | ', '(' || t.words || ')', names.ids) || ')', ' & ') as job,
      string_agg(t.words, ' & ') as file
    from (select word, name, email, words_query(word)::text as words
      from json_to_recordset(${JSON.stringify(typed)}::json) as t (word text, name text, email text)) t,
    lateral (select string_agg(quote_literal('#' || id), ' | ') as ids from (
      select a.id from accounts a where a.name ilike t.name
      union
      select m.account_id from members m join people u on u.id = m.user_id
      where u.email ilike t.email or (m.role = 'owner' and u.name ilike t.name)
      union
      select u.id from people u where u.name ilike t.name
      limit ${mostNames}) named) names
    where t.words is not null`.execute(db);
  return rows[0] ?? { job: null, file: null };
}

/** Jobs that match. For statements that select from `jobs j`. */
export async function matchesSearch(db: Db, words: Words): Promise<RawBuilder<boolean>> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select w.job_id as id from job_words w where w.words @@ ${words.job}::tsquery
      union all
      select u.job_id from (select * from unindexed_jobs order by queued_at desc limit ${mostUnindexed}) u
      where words_of_job(u.account_id, u.job_id) @@ ${words.job}::tsquery
      union all
      select f.job_id from files f where ${isOfJob} and words_of(f.file_name) @@ ${words.file}::tsquery
    ) matching limit ${mostIds + 1}`.execute(db);
  if (rows.length <= mostIds) return sql<boolean>`j.id = any(${[...new Set(rows.map((row) => row.id))]}::uuid[])`;
  return matchesEach(words);
}

/** The same, tested job by job. With `exists`, Postgres collects all matches first. */
export function matchesEach(words: Words): RawBuilder<boolean> {
  return sql<boolean>`(
    (select true from job_words w
      where w.account_id = j.account_id and w.job_id = j.id and w.words @@ ${words.job}::tsquery limit 1) is not null
    or ((select true from unindexed_jobs u where u.account_id = j.account_id and u.job_id = j.id limit 1) is not null
      and words_of_job(j.account_id, j.id) @@ ${words.job}::tsquery)
    or (select true from files f where f.account_id = j.account_id and f.job_id = j.id and ${isOfJob}
      and words_of(f.file_name) @@ ${words.file}::tsquery limit 1) is not null)`;
}

/** Every job has copies of the brand kit: their names tell no job from another. */
const isOfJob = sql<boolean>`f.job_id is not null and f.brand_position is null`;
