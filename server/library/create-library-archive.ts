import { archiveBounds, type createLibraryArchive as endpoint } from '../../contract/files/library.ts';
import { type ArchiveParts, signArchive } from '../files/archive.ts';
import { archiveOfJobs } from '../files/create-archive.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { chooseJobs } from './finished-jobs.ts';

export async function createLibraryArchive(
  parts: ArchiveParts,
  { caller, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const jobIds = await chooseJobs(parts.db, caller.accountId, body, { most: archiveBounds.jobs, what: 'one zip' });
  if (jobIds.length === 0) throw new Refusal('file_not_found', { message: 'These filters leave no approved job.' });
  return { status: 200, body: await signArchive(parts, archiveOfJobs(caller, jobIds, 'final')) };
}
