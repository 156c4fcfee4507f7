import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import { keptFault, namedFiles } from '../jobs/job-file.ts';

/** Files that leave the template have no position any more, and their retention goes on. */
export async function setTemplateFiles(
  trx: Trx,
  accountId: string,
  templateId: string,
  fileIds: readonly string[],
): Promise<void> {
  const files = await namedFiles(trx, { account_id: accountId, uploaded_by: 'customer' }, fileIds, (file) => {
    if (file.job_id !== null) return 'names a file of a job: copy it with POST /api/v1/files/{id}/copy';
    return file.template_id === templateId ? null : keptFault(file);
  });
  const ids = files.map(({ id }) => id);
  await sql`
    update files set template_position = array_position(${ids}::uuid[], id),
      template_id = case when id = any(${ids}::uuid[]) then ${templateId}::uuid end
    where account_id = ${accountId} and (id = any(${ids}::uuid[]) or template_id = ${templateId})`.execute(trx);
}
