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

/** Comments of a job in the order of creation. `sent`: only what the studio may read. */
export async function readComments(
  db: Db | Trx,
  { account_id, id: job_id }: JobKey,
  { round, id, after, limit, sent }: Filter,
): Promise<CommentRow[]> {
  const { rows } = await sql<CommentRow>`
    select c.id, c.job_id, c.round, c.number, c.file_id, f.file_name, f.content_type, c.at, c.text, c.user_id,
      c.api_key_id, c.review_link_id, coalesce(c.guest_name, (select u.name from people u where u.id = c.user_id),
        (select k.name from api_keys k where k.id = c.api_key_id), '') as author_name,
      c.created_at::text as created_at, c.updated_at::text as updated_at, c.sent_at::text as sent_at,
      c.sent_at is null and j.status <> ${moves.revision.from[0]} as never_sent,
      c.done_at::text as done_at, c.done_note,
      exists (select from job_submissions s where s.account_id = ${account_id} and s.job_id = c.job_id
        and s.round > c.round and s.released_at is not null) as delivered
    from (
      select *, row_number() over (partition by round order by id)::int as number from job_comments
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

export function isAuthor(comment: CommentRow, { side, userId, apiKeyId, reviewLinkId }: Commenter): boolean {
  if (comment.review_link_id !== null) return side === 'guest' && comment.review_link_id === reviewLinkId;
  return side === 'customer' && comment.user_id === userId && comment.api_key_id === apiKeyId;
}

/** Customers and guests read what the studio did about a comment from the next delivery on. */
export function showComment(comment: CommentRow, reader: Commenter): ReviewComment {
  const showsDone = comment.delivered || reader.side === 'studio' || reader.side === 'worker';
  return {
    id: showId('cmt', comment.id),
    job_id: showId('job', comment.job_id),
    round: comment.round,
    number: comment.number,
    file_id: showId('file', comment.file_id),
    file_name: comment.file_name,
    at: comment.at,
    text: comment.text,
    author: {
      kind: comment.review_link_id === null ? 'customer' : 'guest',
      name: reader.side === 'worker' ? '' : comment.author_name,
    },
    editable: comment.sent_at === null && isAuthor(comment, reader),
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
