import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readReview as endpoint, Review } from '../../contract/review/review-links.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { type Db, transact } from '../db/pool.ts';
import type { Cause, Guest, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { showPoster } from '../jobs/job-file.ts';
import { showId } from '../lib/id.ts';
import { latestRound, sharedFiles } from './guest.ts';

export async function readReview(
  { db, catalog }: { db: Db; catalog: Pick<Catalog, 'studio'> },
  { caller, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const link = await readLink(db, caller);
  if (!link) throw new Refusal('review_link_not_found');
  if (link.opened_at === null) await noteOpening(db, caller, cause);
  const files = await sharedFiles(db, caller).orderBy('round', 'desc').orderBy('position').execute();
  const isReview = caller.shownJobs === null;
  return {
    status: 200,
    body: {
      review: {
        job_title: link.job_title,
        studio_name: catalog.studio.name,
        shared_by: { name: link.maker_name },
        can_comment: link.can_comment,
        expires_at: link.expires_at.toISOString(),
        round: isReview ? await latestRound(db, caller) : null,
        status_open: isReview && link.status === 'ready_for_customer_review',
        files: files.map(showFile),
        ...(isReview ? {} : { finished: await readFinished(db, caller, files) }),
      },
    },
  };
}

/** Deleted between the check of the token and here: null. */
const readLink = (db: Db, { accountId, reviewLinkId }: Guest) =>
  db
    .selectFrom('review_links as link')
    .innerJoin('jobs as job', (join) => join.on('job.account_id', '=', accountId).onRef('job.id', '=', 'link.job_id'))
    .innerJoin('accounts as account', 'account.id', 'link.account_id')
    .leftJoin('people as person', 'person.id', 'link.created_by_user')
    .where('link.account_id', '=', accountId)
    .where('link.id', '=', reviewLinkId)
    .select(['link.can_comment', 'link.expires_at', 'link.opened_at'])
    .select(['job.customer_title as job_title', 'job.status'])
    .select(sql<string>`coalesce(person.name, account.name)`.as('maker_name'))
    .executeTakeFirst();

/** Only the first opening is recorded, also when two guests open the link at once. */
const noteOpening = (db: Db, { accountId, jobId, reviewLinkId }: Guest, cause: Cause): Promise<void> =>
  transact(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('review_links')
      .set({ opened_at: sql<Date>`now()` })
      .where('account_id', '=', accountId)
      .where('id', '=', reviewLinkId)
      .where('opened_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    const subject = showId('rvl', reviewLinkId);
    const details = { job_id: showId('job', jobId) };
    await appendAudit(trx, cause, { action: 'review_link.opened', subject, accountId, details });
  });

/** In the order in which the link names them. Jobs of which no file is left are left out. */
async function readFinished(db: Db, { accountId, shownJobs }: Guest, files: readonly SharedFile[]) {
  const { rows } = await sql<{ id: string; title: string; ended_at: Date }>`
    select j.id, j.customer_title as title, j.status_changed_at as ended_at
    from jobs j where j.account_id = ${accountId} and j.id = any(${shownJobs}::uuid[])
    order by array_position(${shownJobs}::uuid[], j.id)`.execute(db);
  const filesOf = Map.groupBy(files, ({ job_id }) => job_id);
  return rows.flatMap(({ id, title, ended_at }) => {
    const file_ids = (filesOf.get(id) ?? []).map((file) => showId('file', file.id));
    return file_ids.length === 0
      ? []
      : [{ job_id: showId('job', id), title, approved_at: ended_at.toISOString(), file_ids }];
  });
}

type SharedFile = Awaited<ReturnType<ReturnType<typeof sharedFiles>['executeTakeFirstOrThrow']>>;

const showFile = (file: SharedFile): Static<typeof Review>['files'][number] => ({
  id: showId('file', file.id),
  name: file.file_name,
  content_type: file.content_type,
  size_bytes: file.stored_bytes ?? file.declared_bytes,
  round: file.round ?? 0,
  ...showPoster(file),
});
