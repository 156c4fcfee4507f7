import { type RawBuilder, sql } from 'kysely';
import { cleanEmail } from '../../../contract/typed.ts';
import { containing } from '../../db/containing.ts';
import type { Db } from '../../db/pool.ts';
import { isNew } from './index-jobs.ts';

/** Up to this many matches are looked up by id. With more of them, a page of the list soon has enough. */
const mostIds = 2_000;
/** Of jobs without stored words, so many of the newest are searched. */
export const mostUnindexed = 500;
/** Of more words than these, only the first are searched. */
const mostWords = 10;
/** A part of a word may be in any number of names: so many of them count for a word, and for all words. */
const [mostNames, mostNamesOfAll] = [1_000, 5_000];

/** A word begins a word of the job, or is part of a name: that of one of these accounts or of who ordered. */
type Word = { words: string; ids: string[] };

/** An address has several words and is one part of a name. What has no letter or digit is left out. */
export async function readWords(db: Db, q: string): Promise<Word[]> {
  const typed = [...new Set(q.trim().split(/\s+/))].slice(0, mostWords).map((word) => ({
    word,
    name: containing(word),
    email: containing(cleanEmail(word)),
  }));
  const { rows } = await sql<Word>`
    select t.words, array(
      select a.id from accounts a where a.name ilike t.name
      union
      select m.account_id from members m join people u on u.id = m.user_id
      where u.email ilike t.email or (m.role = 'owner' and u.name ilike t.name)
      union
      select p.account_id from imported_people p join people u on u.id = p.person_id
      where p.email ilike t.email or (p.role = 'owner' and u.name ilike t.name)
      union
      select u.id from people u where u.name ilike t.name
      limit ${Math.min(mostNames, Math.floor(mostNamesOfAll / typed.length))}) as ids
    from (select name, email, words_query(word)::text as words
      from json_to_recordset(${JSON.stringify(typed)}::json) as t (word text, name text, email text)) t
    where t.words is not null`.execute(db);
  return rows;
}

/** Jobs that match. For statements that select from `jobs j`. */
export async function matchesSearch(db: Db, words: Word[]): Promise<RawBuilder<boolean>> {
  if (words.length === 0) return sql<boolean>`false`;
  // In stored words, an id is a word that no text has.
  const query = words.map(({ words, ids }) => `(${[`(${words})`, ...ids.map((id) => `'#${id}'`)].join(' | ')})`);
  const { rows } = await sql<{ id: string }>`
    select id from (
      select w.job_id as id from job_words w where w.words @@ ${query.join(' & ')}::tsquery
      union all
      select j.id from (
        select * from (select * from unindexed_jobs order by queued_at desc limit ${mostUnindexed}) u
        where ${isWithoutWords} offset 0) u
      join jobs j on j.account_id = u.account_id and j.id = u.job_id
      cross join lateral ${readNow} w where ${haveAll(words)}
      union all
      select j.id from (select * from jobs j where ${isNew} order by j.created_at desc limit ${mostUnindexed}) j
      cross join lateral ${readNow} w where ${haveAll(words)}
      union all
      select j.id from jobs j
      where j.account_id = any(${inEvery(words)}::uuid[]) and exists (select from job_words where not complete)
      union all
      select f.job_id from files f where ${isOfJob} and words_of(f.file_name) @@ ${allOf(words)}
    ) matching limit ${mostIds + 1}`.execute(db);
  if (rows.length <= mostIds) return sql<boolean>`j.id = any(${[...new Set(rows.map((row) => row.id))]}::uuid[])`;
  return matchesEach(words);
}

/** The same, tested job by job. With `exists`, Postgres collects all matches first. */
export function matchesEach(words: Word[]): RawBuilder<boolean> {
  if (words.length === 0) return sql<boolean>`false`;
  return sql<boolean>`(
    (select true from job_words w
      where w.account_id = j.account_id and w.job_id = j.id and ${haveAll(words)} limit 1) is not null
    or case when ${isNew} or (select true from unindexed_jobs u
        where u.account_id = j.account_id and u.job_id = j.id and ${isWithoutWords} limit 1)
      then (select ${haveAll(words)} from ${readNow} w) else false end
    or (select true from files f where f.account_id = j.account_id and f.job_id = j.id and ${isOfJob}
      and words_of(f.file_name) @@ ${allOf(words)} limit 1) is not null)`;
}

/** Of `jobs j` with their words `w`. To compare ids is faster than to look for them among the words. */
const haveAll = (words: Word[]) =>
  sql.join(
    words.map(
      ({ words, ids }) =>
        sql`(w.words @@ ${words}::tsquery or j.account_id = any(${ids}::uuid[]) or j.created_by_user = any(${ids}::uuid[]))`,
    ),
    sql` and `,
  );

/**
 * Of `unindexed_jobs u`. After an import or while the task is late many jobs wait, and most of those have
 * stored words that miss only what was said since.
 */
const isWithoutWords = sql<boolean>`(u.queued_at > now() - interval '1 minute'
  or not exists (select from job_words o where o.account_id = u.account_id and o.job_id = u.job_id))`;

/** The words of `jobs j`, once for all words of the search. */
const readNow = sql`(select words_of_job(j.account_id, j.id) as words offset 0)`;

/** Accounts whose names have every word: the words that the version before stored lack the account. */
const inEvery = ([first, ...others]: Word[]) =>
  first?.ids.filter((id) => others.every(({ ids }) => ids.includes(id))) ?? [];

const allOf = (words: Word[]) => sql`${words.map(({ words }) => `(${words})`).join(' & ')}::tsquery`;

/** Every job has copies of the brand kit: their names tell no job from another. */
const isOfJob = sql<boolean>`f.job_id is not null and f.brand_position is null`;
