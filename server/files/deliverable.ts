import { sql } from 'kysely';
import type { JobRow } from '../jobs/job.ts';
import { namedFiles } from '../jobs/job-file.ts';
import type { Trx } from '../db/pool.ts';

/** Attaches files in this order. They replace earlier files that were submitted but never released. */
export async function submitFiles(trx: Trx, job: JobRow, fileIds: readonly string[]): Promise<void> {
  const files = await namedFiles(
    trx,
    { account_id: job.account_id, job_id: job.id, uploaded_by: 'studio', purpose: 'job_deliverable' },
    fileIds,
    (file) => (file.released_at === null ? null : 'names a file that was already delivered'),
  );
  await trx
    .updateTable('files')
    .where('account_id', '=', job.account_id)
    .where('job_id', '=', job.id)
    .where('submitted_at', 'is not', null)
    .where('released_at', 'is', null)
    .set({ submitted_at: null, round: null, position: null })
    .execute();
  await sql`
    update files set submitted_at = now(), round = ${job.revisions_used}, position = named.position
    from unnest(${files.map(({ id }) => id)}::uuid[]) with ordinality as named (id, position)
    where files.account_id = ${job.account_id} and files.id = named.id`.execute(trx);
}
