import { sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import type { Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { showId } from '../lib/id.ts';

/** Files of their own on the same bytes, in this order. The lock keeps the bytes until this has committed. */
export async function copyFiles(
  trx: Trx,
  accountId: string,
  uuids: string[],
  cause: Cause,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; file_name: string }>`
    insert into files (account_id, id, uploaded_by, purpose, file_name, content_type, declared_bytes, retention_days,
      status, object_key, etag, stored_bytes, poster_status, poster_key, poster_due_at, pixel_width, pixel_height,
      viewing_status, viewing_key, viewing_bytes, viewing_due_at, uploaded_at)
    select account_id, uuidv7(), uploaded_by, purpose, file_name, content_type, declared_bytes, retention_days,
      status, object_key, etag, stored_bytes, poster_status, poster_key, poster_due_at, pixel_width, pixel_height,
      viewing_status, viewing_key, viewing_bytes, viewing_due_at, now()
    from (select * from files where account_id = ${accountId} and id = any(${uuids}::uuid[]) and status = 'uploaded'
      order by array_position(${uuids}::uuid[], id) for share) f
    returning id, file_name`.execute(trx);
  const files = rows.map(({ id, file_name }) => ({ id: showId('file', id), name: file_name }));
  const uploads = files.map((file) => ({ action: 'file.uploaded' as const, subject: file.id, accountId }));
  await appendAudit(trx, cause, ...uploads);
  return files;
}
