import type { AnswerOf } from '../../contract/endpoint.ts';
import { purposes } from '../../contract/files/file.ts';
import type { startPageUpload as endpoint } from '../../contract/files/upload-pages.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import type { Cause, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import type { FileRow } from '../jobs/job-file.ts';
import { showId } from '../lib/id.ts';
import { showUpload } from './file.ts';
import type { UploadDependencies } from './start-upload.ts';
import type { Storage } from './storage.ts';
import { causeOfPage, findUploadPage } from './upload-page.ts';
import { declaredType, storageLimitRefusal, uploadFault } from './upload-rules.ts';

/** The file was asked for before anybody knew its name, type and size. */
export async function startPageUpload(
  { db, storage, catalog, config }: UploadDependencies & { db: Db; storage: Storage },
  { body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { token, ...wish } = body;
  const file = await transact(db, async (trx) => {
    const page = await findUploadPage(trx, token);
    const { account_id, file } = page;
    const fault =
      uploadFault(catalog, purposes, { ...wish, purpose: file.purpose }) ??
      (await storageLimitRefusal(trx, account_id, config, wish.size_bytes, file.id));
    if (fault) throw fault;
    await describeFile(trx, file, { ...wish, content_type: declaredType(catalog, wish) }, causeOfPage(page, cause));
    return file;
  });
  const { upload } = await showUpload(db, storage, file);
  return { status: 200, body: { upload } };
}

type Wish = { file_name: string; content_type: string; size_bytes: number };

/** A repeat changes nothing. Bytes that were sent under an earlier type are swept. */
async function describeFile(trx: Trx, file: FileRow, wish: Wish, cause: Cause): Promise<void> {
  const { account_id, id } = file;
  const { file_name, content_type, size_bytes: declared_bytes } = wish;
  const isSame =
    file.file_name === file_name && file.content_type === content_type && file.declared_bytes === declared_bytes;
  if (isSame) return;
  const { numUpdatedRows } = await trx
    .updateTable('files')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('status', '=', 'pending_upload')
    .set({ file_name, content_type, declared_bytes })
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Refusal('upload_page_not_found');
  await appendAudit(trx, cause, { action: 'file.upload_started', subject: showId('file', id), accountId: account_id });
}
