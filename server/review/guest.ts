import { sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';
import type { Guest } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import type { Commenter, CommentRow } from '../jobs/job-comment.ts';
import { type JobRow, lockJob } from '../jobs/job.ts';
import { isDelivered, isFinal, lastRound } from '../jobs/last-delivery.ts';
import { isLive } from '../keys/review-link.ts';
import { showId } from '../lib/id.ts';
import { findComment } from './comment.ts';

/** All guests of a link are one author: only the name that each enters tells them apart. */
export const commenterOf = ({ reviewLinkId }: Guest, guestName: string | null = null): Commenter => ({
  side: 'guest',
  readsUnsent: true,
  userId: null,
  apiKeyId: null,
  reviewLinkId,
  guestName,
});

export function refuseUnlessCommenter({ canComment }: Guest): void {
  if (!canComment) throw new Refusal('comments_not_allowed');
}

/** Locks the job, then the link, so that nothing is written through a link that is being revoked. */
export async function lockShared(trx: Trx, { accountId, jobId, reviewLinkId }: Guest): Promise<JobRow> {
  const job = await lockJob(trx, accountId, showId('job', jobId));
  const link = await trx
    .selectFrom('review_links as link')
    .select('link.id')
    .where('link.id', '=', reviewLinkId)
    .where(isLive)
    .forShare()
    .executeTakeFirst();
  if (!link) throw new Refusal('review_link_not_found');
  return job;
}

export async function latestRound(db: Db | Trx, { accountId, jobId }: Guest): Promise<number | null> {
  const { rows } = await sql<{ round: number | null }>`
    select ${lastRound(accountId, sql`${jobId}`)} as round`.execute(db);
  return rows[0]?.round ?? null;
}

/** Guests see the comments of the latest delivery only. */
export async function findShownComment(trx: Trx, job: JobRow, guest: Guest, id: string): Promise<CommentRow> {
  const comment = await findComment(trx, job, id);
  if (comment.round !== (await latestRound(trx, guest))) throw new Refusal('comment_not_found');
  return comment;
}

/** The delivered files that a link opens and that have their bytes. Of finished work the last delivery. */
export const sharedFiles = (db: Db, { accountId, jobId, shownJobs }: Guest) =>
  db
    .selectFrom('files')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('job_id', '=', sql<string>`any(${shownJobs ?? [jobId]}::uuid[])`)
    .where(isDelivered('files'))
    .where('status', '=', 'uploaded')
    .$if(shownJobs !== null, (files) => files.where(isFinal(accountId, 'files')));
