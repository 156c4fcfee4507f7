import type { Db, Trx } from '../db/pool.ts';
import { readId, showId } from '../lib/id.ts';

/** `name` is null if the account cannot attach such a file. */
type NamedFile = { id: string; name: string | null };

/** File ids in a message. `name` is set for files that the account can still attach to a job. */
export async function mentionedFiles(db: Db | Trx, accountId: string, message: string): Promise<NamedFile[]> {
  const ids = [...new Set(message.match(/\bfile_[0-9a-z]{26}\b/g))].slice(0, 100);
  const uuids = ids.flatMap((id) => readId('file', id) ?? []);
  const free =
    uuids.length === 0
      ? []
      : await db
          .selectFrom('files')
          .select(['id', 'file_name'])
          .where('account_id', '=', accountId)
          .where('uploaded_by', '=', 'customer')
          .where('status', '=', 'uploaded')
          .where('job_id', 'is', null)
          .where('brand_position', 'is', null)
          .where('template_id', 'is', null)
          .where('id', 'in', uuids)
          .execute();
  const names = new Map(free.map(({ id, file_name }) => [showId('file', id), file_name]));
  return ids.map((id) => ({ id, name: names.get(id) ?? null }));
}
