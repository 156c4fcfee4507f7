import { sql } from 'kysely';
import type { DeliveryDraft } from '../../../contract/desk/drafts.ts';
import type { Db, Trx } from '../../db/pool.ts';
import type { JobKey } from '../../jobs/job-event.ts';
import { showId } from '../../lib/id.ts';

type DraftRow = { message: string; file_ids: string[]; saved_at: Date; saved_by: string; name: string };

/** Leaves out files that were deleted or delivered since it was saved. */
export async function findDeliveryDraft(db: Db | Trx, job: JobKey): Promise<DeliveryDraft> {
  const { rows } = await sql<DraftRow>`
    select d.message, d.saved_at, d.saved_by, u.name,
      array(select f.id from unnest(d.file_ids) with ordinality as named (id, position)
        join files f on f.account_id = ${job.account_id} and f.id = named.id
        where f.status = 'uploaded' and f.released_at is null
        order by named.position) as file_ids
    from job_drafts d join people u on u.id = d.saved_by
    where d.account_id = ${job.account_id} and d.job_id = ${job.id}`.execute(db);
  const draft = rows[0];
  if (!draft) return { message: '', file_ids: [], created_by: null, saved_at: null };
  return {
    message: draft.message,
    file_ids: draft.file_ids.map((id) => showId('file', id)),
    created_by: { kind: 'user', id: showId('user', draft.saved_by), name: draft.name },
    saved_at: draft.saved_at.toISOString(),
  };
}
