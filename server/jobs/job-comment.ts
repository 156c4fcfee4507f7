import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { ReviewComment, Revision } from '../../contract/review/comments.ts';
import { moves } from '../../contract/moves.ts';
import type { Db, Trx } from '../db/pool.ts';
import { isoTime, type Time } from '../db/time.ts';
import { type CallerOf, isView } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import type { JobKey } from './job-event.ts';
import type { WholeJob } from './job.ts';

/** Who writes or reads comments. Only the customer's side and guests write them. */
export type Commenter = {
  side: 'customer' | 'guest' | 'studio' | 'worker';
  userId: string | null;
  apiKeyId: string | null;
  reviewLinkId: string | null;
  guestName: string | null;
  /** Comments that were not sent are shown to the customer's side and its guests alone. */
  readsUnsent: boolean;
};

const nobody = { userId: null, apiKeyId: null, reviewLinkId: null, guestName: null };

/** An operator who views the account is no member. */
export const memberOf = (caller: CallerOf<'caller'>): Commenter => ({
  ...nobody,
  side: 'customer',
  readsUnsent: !isView(caller),
  ...(isView(caller) ? {} : caller.method === 'session' ? { userId: caller.userId } : { apiKeyId: caller.keyId }),
});

/** The studio reads comments and writes none. */
export const studioOf = (caller: CallerOf<'desk'>): Commenter => ({
  ...nobody,
  side: caller.method === 'session' ? 'studio' : 'worker',
  readsUnsent: false,
});

type ReplyRow = {
  id: string;
  text: string;
  user_id: string | null;
  api_key_id: string | null;
  review_link_id: string | null;
  author_name: string;
  created_at: Time;
};

export type CommentRow = {
  id: string;
  job_id: string;
  round: number;
  number: number;
  file_id: string;
  file_name: string;
  content_type: string;
  at: string | null;
  text: string;
  user_id: string | null;
  api_key_id: string | null;
  review_link_id: string | null;
  author_name: string;
  created_at: Time;
  updated_at: Time;
  sent_at: Time | null;
  replies: ReplyRow[];
  settled_at: Time | null;
  settled_by: string | null;
  never_sent: boolean;
  done_at: Time | null;
  done_note: string | null;
  /** Whether a later delivery has reached the customer. */
  delivered: boolean;
};

type Filter = {
  round?: number | undefined;
  id?: string | null;
  after?: string | undefined;
  limit?: number;
  sent?: true;
};

const nameOf = (row: string) => sql`coalesce(${sql.ref(`${row}.guest_name`)},
  (select u.name from people u where u.id = ${sql.ref(`${row}.user_id`)}),
  (select k.name from api_keys k where k.id = ${sql.ref(`${row}.api_key_id`)}), '')`;

/**
 * Comments of a job in the order of creation. `sent`: only what the studio may read. Those that a revision
 * left out are counted after those that it sent, so that customer and studio have the same numbers.
 */
export async function readComments(
  db: Db | Trx,
  { account_id, id: job_id }: JobKey,
  { round, id, after, limit, sent }: Filter,
): Promise<CommentRow[]> {
  const { rows } = await sql<CommentRow>`
    select c.id, c.job_id, c.round, c.number, c.file_id, f.file_name, f.content_type, c.at, c.text, c.user_id,
      c.api_key_id, c.review_link_id, ${nameOf('c')} as author_name,
      c.created_at::text as created_at, c.updated_at::text as updated_at, c.sent_at::text as sent_at,
      c.settled_at::text as settled_at, coalesce((select u.name from people u where u.id = c.settled_by_user),
        (select k.name from api_keys k where k.id = c.settled_by_key)) as settled_by,
      coalesce((select json_agg(json_build_object('id', r.id, 'text', r.text, 'user_id', r.user_id, 'api_key_id', r.api_key_id,
          'review_link_id', r.review_link_id, 'author_name', ${nameOf('r')}, 'created_at', r.created_at::text) order by r.id)
        from comment_replies r where r.account_id = ${account_id} and r.job_id = c.job_id and r.comment_id = c.id), '[]') as replies,
      c.sent_at is null and (j.status <> ${moves.revision.from[0]} or c.round < j.revisions_used) as never_sent,
      c.done_at::text as done_at, c.done_note,
      exists (select from job_submissions s where s.account_id = ${account_id} and s.job_id = c.job_id
        and s.round > c.round and s.released_at is not null) as delivered
    from (
      select *, row_number() over (partition by round order by sent_at is null, id)::int as number from job_comments
      where account_id = ${account_id} and job_id = ${job_id} ${sent ? sql`and sent_at is not null` : sql``}
    ) c
    join jobs j on j.account_id = ${account_id} and j.id = c.job_id
    join files f on f.account_id = ${account_id} and f.id = c.file_id
    where true
      ${round === undefined ? sql`` : sql`and c.round = ${round}`}
      ${id === undefined ? sql`` : sql`and c.id = ${id}::uuid`}
      ${after === undefined ? sql`` : sql`and c.id > ${after}::uuid`}
    order by c.id ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(db);
  return rows;
}

type Written = Pick<CommentRow, 'user_id' | 'api_key_id' | 'review_link_id'>;

export function isAuthor(comment: Written, { side, userId, apiKeyId, reviewLinkId }: Commenter): boolean {
  if (comment.review_link_id !== null) return side === 'guest' && comment.review_link_id === reviewLinkId;
  return side === 'customer' && comment.user_id === userId && comment.api_key_id === apiKeyId;
}

/** Customers and guests read what the studio did about a comment from the next delivery on. */
export function showComment(comment: CommentRow, reader: Commenter): ReviewComment {
  const showsDone = comment.delivered || reader.side === 'studio' || reader.side === 'worker';
  const authorOf = ({ review_link_id, author_name }: CommentRow | ReplyRow) => ({
    kind: review_link_id === null ? ('customer' as const) : ('guest' as const),
    name: reader.side === 'worker' ? '' : author_name,
  });
  const isOpen = comment.sent_at === null && !comment.never_sent;
  return {
    id: showId('cmt', comment.id),
    job_id: showId('job', comment.job_id),
    round: comment.round,
    number: comment.number,
    file_id: showId('file', comment.file_id),
    file_name: comment.file_name,
    at: comment.at,
    text: comment.text,
    author: authorOf(comment),
    editable: comment.sent_at === null && isAuthor(comment, reader),
    replies: comment.replies.map((reply) => ({
      id: showId('rpl', reply.id),
      text: reply.text,
      author: authorOf(reply),
      editable: isOpen && isAuthor(reply, reader),
      created_at: isoTime(reply.created_at),
    })),
    settled_at: isoTime(comment.settled_at),
    settled_by: comment.settled_by,
    never_sent: comment.never_sent,
    created_at: isoTime(comment.created_at),
    updated_at: isoTime(comment.updated_at),
    sent_at: isoTime(comment.sent_at),
    done_at: showsDone ? isoTime(comment.done_at) : null,
    done_note: showsDone ? comment.done_note : null,
  };
}

/** The last requested revision with its comments; null before the first. */
export async function readRevision(
  db: Db | Trx,
  job: WholeJob,
  reader: Commenter,
): Promise<Static<typeof Revision> | null> {
  const last = job.revisions.at(-1);
  if (!last) return null;
  const comments = await readComments(db, job, { round: last.round - 1, sent: true });
  return {
    round: last.round,
    instructions: last.customer_instructions,
    comments: comments.map((comment) => showComment(comment, reader)),
  };
}
