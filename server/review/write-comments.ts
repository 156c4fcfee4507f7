import { sql } from 'kysely';
import { commentsPerRound, type NewComment } from '../../contract/comments.ts';
import { isFault, readPlace, refusePlace, writePlace } from '../../contract/place.ts';
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
  await refuseBeyondRound(trx, job, comments.length);
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

async function refuseBeyondRound(trx: Trx, job: JobRow, more: number): Promise<void> {
  const { rows } = await sql`
    select from job_comments
    where account_id = ${job.account_id} and job_id = ${job.id} and round = ${job.revisions_used}`.execute(trx);
  if (rows.length + more <= commentsPerRound) return;
  throw new Refusal('limit_reached', {
    message: `The round has ${rows.length} comments; it may have ${commentsPerRound}.`,
    action: 'Delete comments that are not needed, or put several points into one.',
  });
}
