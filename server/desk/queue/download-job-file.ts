import type { downloadJobFile as endpoint } from '../../../contract/desk/deliverables.ts';
import { downloadOf } from '../../files/file.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { showId } from '../../lib/id.ts';
import { noteDownload } from '../../files/note-download.ts';
import { uploadedJobFile } from './desk-file.ts';
import { lockForDesk } from './lease.ts';
import { type Db, transact } from '../../db/pool.ts';
import type { Storage } from '../../files/storage.ts';

export async function downloadJobFile(
  { db, storage, catalog }: { db: Db; storage: Storage; catalog: Catalog },
  { caller, params, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = await uploadedJobFile(db, params.id);
  await transact(db, async (trx) => {
    await lockForDesk(trx, caller, showId('job', file.job_id), body.lease_token);
    await noteDownload(trx, cause, file);
  });
  return { status: 200, body: { download: await downloadOf(storage, catalog, file) } };
}
