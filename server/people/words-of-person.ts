import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Person } from '../http/request.ts';
import { showId } from '../lib/id.ts';

/** What a person wrote about jobs, in accounts to which they belong. Withdrawn messages have no text. */
const wordsIn =
  (
    table: 'job_messages' | 'job_comments' | 'comment_replies',
    kind: 'msg' | 'cmt' | 'rpl',
    which: RawBuilder<boolean>,
  ) =>
  async (db: Db, { userId }: Person) => {
    const { rows } = await sql<{ id: string; job_id: string; text: string; created_at: Date }>`
      select w.id, w.job_id, w.text, w.created_at from ${sql.table(table)} w
      join members m on m.account_id = w.account_id and m.user_id = w.user_id
      where w.user_id = ${userId} and ${which}
      order by w.created_at, w.id`.execute(db);
    return rows.map(({ id, job_id, text, created_at }) => ({
      id: showId(kind, id),
      job_id: showId('job', job_id),
      text,
      created_at: created_at.toISOString(),
    }));
  };

export const messagesBy = wordsIn('job_messages', 'msg', sql`w.author = 'customer' and w.text is not null`);
export const commentsBy = wordsIn('job_comments', 'cmt', sql`true`);
export const repliesBy = wordsIn('comment_replies', 'rpl', sql`true`);

/** Those that they sent to be confirmed, and the words with which they declined others. */
export async function ordersOf(db: Db, { userId }: Person) {
  const { rows } = await sql<{ id: string; title: string | null; words: string | null; created_at: Date }>`
    select o.id, case when o.created_by_user = ${userId} then coalesce(s.brief ->> 'customer_title', s.draft ->> 'title') end as title,
      case when o.decided_by = ${userId} then o.words end as words, o.created_at
    from orders o join members m on m.account_id = o.account_id and m.user_id = ${userId}
    join intake_sessions s on s.account_id = o.account_id and s.id = o.session_id
    where ${userId} in (o.created_by_user, o.decided_by)
    order by o.created_at`.execute(db);
  return rows.map(({ id, title, words, created_at }) => ({
    id: showId('ord', id),
    customer_title: title,
    words,
    created_at: created_at.toISOString(),
  }));
}
