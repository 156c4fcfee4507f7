import { sql } from 'kysely';
import {
  commentsPerRound,
  guestCommentsPerRound,
  type NewComment,
  unsentCommentsPerLink,
} from '../../contract/review/comments.ts';
import { isFault, readPlace, refusePlace, writePlace } from '../../contract/review/place.ts';
import type { Trx } from '../db/pool.ts';
import { badBody, type Detail, Refusal } from '../http/refusal.ts';
import type { JobRow } from '../jobs/job.ts';
import type { Commenter } from '../jobs/job-comment.ts';
import { readId } from '../lib/id.ts';
import { unsafe } from '../safety/policy.ts';

type DeliveredFile = { id: string; content_type: string };
type Checked = { file_id: string; text: string; at: string | null };

/**
 * Adds comments to the current round of a locked job and returns their ids. `root`: where the body has them;
 * empty if the body is the comment.
 */
export async function writeComments(
  trx: Trx,
  job: JobRow,
  author: Commenter,
  comments: readonly NewComment[],
  root: '' | '/comments',
): Promise<string[]> {
  if (comments.length === 0) return [];
  const placeOf = (index: number, field: string) => (root === '' ? `/${field}` : `${root}/${index}/${field}`);
  const checked = await checkComments(trx, job, comments, placeOf);
  const danger = unsafe(comments.map(({ text }, index) => [placeOf(index, 'text'), text]));
  if (danger) throw danger;
  await refuseBeyondLimits(trx, job, author, comments.length);
  const rows = await trx
    .insertInto('job_comments')
    .values(
      checked.map((comment) => ({
        ...comment,
        account_id: job.account_id,
        job_id: job.id,
        round: job.revisions_used,
        user_id: author.userId,
        api_key_id: author.apiKeyId,
        guest_name: author.guestName,
        review_link_id: author.reviewLinkId,
      })),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Files of the current delivery, and places that they have. One 422 names all faults. */
async function checkComments(
  trx: Trx,
  job: JobRow,
  comments: readonly NewComment[],
  placeOf: (index: number, field: string) => string,
): Promise<Checked[]> {
  const files = await deliveredFiles(trx, job);
  const details: Detail[] = [];
  const checked = comments.map(({ file_id, text, at }, index): Checked => {
    const uuid = readId('file', file_id);
    const file = files.find(({ id }) => id === uuid);
    if (!file) details.push({ location: placeOf(index, 'file_id'), message: 'names no file of the current delivery' });
    const place = checkPlace(at ?? null, file?.content_type ?? null);
    if ('fault' in place) details.push({ location: placeOf(index, 'at'), message: place.fault });
    return { file_id: file?.id ?? '', text, at: 'at' in place ? place.at : null };
  });
  if (details.length > 0) throw badBody(details);
  return checked;
}

/** The canonical form of a place. Without a type only the form is checked. */
export function checkPlace(at: string | null, contentType: string | null): { at: string | null } | { fault: string } {
  if (at === null) return { at: null };
  const place = readPlace(at);
  if (isFault(place)) return place;
  const fault = contentType === null ? null : refusePlace(place, contentType);
  return fault === null ? { at: writePlace(place) } : { fault };
}

async function deliveredFiles(trx: Trx, job: JobRow): Promise<DeliveredFile[]> {
  const { rows } = await sql<DeliveredFile>`
    select id, content_type from files
    where account_id = ${job.account_id} and job_id = ${job.id} and round = ${job.revisions_used}
      and released_at is not null`.execute(trx);
  return rows;
}

/** Of comments and replies. Guests have limits of their own, so that members always have room. */
export async function refuseBeyondLimits(
  trx: Trx,
  { account_id, id, revisions_used: round }: JobRow,
  { reviewLinkId }: Commenter,
  more: number,
): Promise<void> {
  const { rows } = await sql<{ all: number; guests: number; link: number }>`
    with comment as (
      select id, review_link_id from job_comments
      where account_id = ${account_id} and job_id = ${id} and round = ${round}),
    written as (
      select review_link_id from comment
      union all
      select r.review_link_id from comment_replies r join comment c on c.id = r.comment_id
      where r.account_id = ${account_id} and r.job_id = ${id})
    select count(*)::int as all, count(review_link_id)::int as guests,
      (count(*) filter (where review_link_id = ${reviewLinkId}::uuid))::int as link
    from written`.execute(trx);
  const { all = 0, guests = 0, link = 0 } = rows[0] ?? {};
  const refuseBeyond = (most: number, count: number, comments: string, action: string) => {
    if (count + more <= most) return;
    throw new Refusal('limit_reached', { message: `${comments}; it may have ${most}.`, action });
  };
  const spare = 'Delete comments that are not needed, or put several points into one.';
  refuseBeyond(commentsPerRound, all, `The round has ${all} comments and replies`, spare);
  if (reviewLinkId === null) return;
  refuseBeyond(unsentCommentsPerLink, link, `The link has ${link} comments and replies that were not sent`, spare);
  const other = 'Send your points to the person who gave you the link.';
  refuseBeyond(guestCommentsPerRound, guests, `The round has ${guests} comments and replies of guests`, other);
}
