import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { deleteFile as endpoint } from '../../contract/files/files.ts';
import { isEnded } from '../../contract/moves.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { showId } from '../lib/id.ts';
import type { Cause, Request } from '../http/request.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { type FileRow, isBrandCopy, showFile } from '../jobs/job-file.ts';
import { fileUuid, keysOf, unsharedKeys } from './file.ts';
import type { Storage } from './storage.ts';

/** Refused while a job, the brand kit or a template has the file. The row first; the sweep deletes bytes. */
export async function deleteFile(
  { db, storage }: { db: Db; storage: Storage },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = await transact(db, async (trx) => {
    const file = await lockUpload(trx, caller.accountId, fileUuid(params.id));
    await refuseIfInUse(trx, file);
    return markDeleted(trx, file, cause);
  });
  for (const key of await unsharedKeys(db, keysOf(file))) await storage.remove(key);
  return { status: 200, body: { file: showFile(file) } };
}

async function lockUpload(trx: Trx, accountId: string, id: string): Promise<FileRow> {
  const file = await trx
    .selectFrom('files')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('uploaded_by', '=', 'customer')
    .where((row) => row.not(isBrandCopy))
    .forUpdate()
    .executeTakeFirst();
  if (!file) throw new Refusal('file_not_found');
  return file;
}

/** The job needs no lock: ended jobs stay ended, and no job can take a file that is locked here. */
async function refuseIfInUse(
  trx: Trx,
  { account_id, job_id, status, brand_position, template_id }: FileRow,
): Promise<void> {
  if (status !== 'uploaded') return;
  if (job_id === null) {
    if (brand_position !== null) throw inBrand();
    if (template_id !== null) throw inTemplate(template_id);
    return;
  }
  const job = await trx
    .selectFrom('jobs')
    .select('status')
    .where('account_id', '=', account_id)
    .where('id', '=', job_id)
    .executeTakeFirstOrThrow();
  if (!isEnded(job.status)) throw new Refusal('file_in_use');
}

const inBrand = () =>
  new Refusal('file_in_use', {
    message: 'The brand kit has this file.',
    action: 'Remove it from the kit with PUT /api/v1/brand, then delete it.',
  });

const inTemplate = (id: string) =>
  new Refusal('file_in_use', {
    message: `The template ${showId('tpl', id)} has this file.`,
    action: 'Remove it from the template with PUT /api/v1/templates/{id}, then delete it.',
  });

async function markDeleted(trx: Trx, file: FileRow, cause: Cause): Promise<FileRow> {
  const marked = await trx
    .updateTable('files')
    .where('account_id', '=', file.account_id)
    .where('id', '=', file.id)
    .where('status', 'in', ['pending_upload', 'uploaded'])
    .set({ status: 'deleted', deleted_at: sql`now()` })
    .returningAll()
    .executeTakeFirst();
  if (!marked) return file;
  const subject = showId('file', file.id);
  await appendAudit(trx, cause, { action: 'file.deleted', subject, accountId: file.account_id });
  return marked;
}
