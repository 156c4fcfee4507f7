import type { createArchive as endpoint } from '../../contract/files/archives.ts';
import { type AnswerOf, type Caller, isView, type Request } from '../http/request.ts';
import { jobUuid } from '../jobs/job.ts';
import { type Archive, type ArchiveParts, signArchive } from './archive.ts';

export const archiveFor = (caller: Caller, jobId: string, round: number | undefined): Archive =>
  archiveOfJobs(caller, [jobUuid(jobId)], round ?? null);

export function archiveOfJobs(caller: Caller, jobIds: readonly string[], round: Archive['round']): Archive {
  const of = { accountId: caller.accountId, jobIds, round };
  if (caller.method === 'api_key') return { ...of, holder: 'key', holderId: caller.keyId };
  return { ...of, holder: isView(caller) ? 'viewer' : 'member', holderId: caller.userId };
}

/** A short-lived URL of all that the account has of a job, or of one delivery. */
export async function createArchive(
  parts: ArchiveParts,
  { caller, params, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: await signArchive(parts, archiveFor(caller, params.id, body.round)) };
}
