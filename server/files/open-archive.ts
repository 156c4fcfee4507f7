import type { openArchive as endpoint } from '../../contract/files/archives.ts';
import { transact } from '../db/pool.ts';
import { type AnswerOf, isView, type Request } from '../http/request.ts';
import { jobUuid } from '../jobs/job.ts';
import { type ArchiveParts, signArchive } from './archive.ts';
import { archiveFor } from './create-archive.ts';
import { noteArchive } from './note-download.ts';

/** The URL is signed for this moment, so no cache may store it. */
export async function openArchive(
  parts: ArchiveParts,
  { caller, params, query, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const archive = archiveFor(caller, params.id, query.round);
  const { download, files } = await signArchive(parts, archive);
  const job = { id: jobUuid(params.id), account_id: archive.accountId };
  if (isView(caller)) await transact(parts.db, (trx) => noteArchive(trx, cause, job, files));
  return { status: 303, body: undefined, headers: { location: download.url, 'cache-control': 'no-store' } };
}
