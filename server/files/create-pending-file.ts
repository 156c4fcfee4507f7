import type { Insertable } from 'kysely';
import { retentionDays } from '../../contract/files/file.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Trx } from '../db/pool.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Cause } from '../http/request.ts';
import { newId, showId } from '../lib/id.ts';
import type { Files } from '../tables.ts';
import { declaredType } from './upload-rules.ts';

type Wish = { file_name: string; content_type: string; size_bytes: number; retention_days?: number };
type Owner = Pick<Insertable<Files>, 'account_id' | 'job_id' | 'uploaded_by' | 'worker_key_id' | 'purpose'>;

/** Inserts a file that waits for its bytes. The stored answer of an Idempotency-Key contains no URL. */
export async function createPendingFile(trx: Trx, catalog: Catalog, owner: Owner, wish: Wish, cause: Cause) {
  const id = newId();
  const { file_name, size_bytes: declared_bytes, retention_days = retentionDays.default } = wish;
  const content_type = declaredType(catalog, wish);
  await trx
    .insertInto('files')
    .values({ id, ...owner, file_name, content_type, declared_bytes, retention_days })
    .execute();
  const action = owner.uploaded_by === 'customer' ? 'file.upload_started' : 'deliverable.upload_started';
  await appendAudit(trx, cause, { action, subject: showId('file', id), accountId: owner.account_id });
  return { status: 201 as const, body: { account_id: owner.account_id, id }, headers: {} };
}
