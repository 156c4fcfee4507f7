import { sql } from 'kysely';
import type { JobRow } from '../jobs/job.ts';
import { namedFiles } from '../jobs/job-file.ts';
import type { Trx } from '../db/pool.ts';

/** Attaches files to the submission. They replace earlier files that were submitted but never released. */
export async function submitFiles(trx: Trx, job: JobRow, fileIds: readonly string[]): Promise<void> {
  const files = await namedFiles(
    trx,
    { account_id: job.account_id, job_id: job.id, uploaded_by: 'studio' },
    fileIds,
    (file) => (file.released_at === null ? null : 'names a file that was already delivered'),
  );
  const ids = sql<string>`any(${files.map(({ id }) => id)}::uuid[])`;
  await trx
    .updateTable('files')
    .where('account_id', '=', job.account_id)
    .where('job_id', '=', job.id)
    .where('submitted_at', 'is not', null)
    .where('released_at', 'is', null)
    .set({ submitted_at: null, round: null })
    .execute();
  await trx
    .updateTable('files')
    .where('account_id', '=', job.account_id)
    .where('id', '=', ids)
    .set({ submitted_at: sql`now()`, round: job.revisions_used })
    .execute();
}
