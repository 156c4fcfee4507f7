import type { createReviewArchive as endpoint } from '../../contract/files/archives.ts';
import { type Archive, type ArchiveParts, signArchive } from '../files/archive.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { readId } from '../lib/id.ts';

export async function createReviewArchive(
  parts: ArchiveParts,
  { caller, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId, jobId, shownJobs, reviewLinkId: holderId } = caller;
  const of = { holder: 'guest', holderId, accountId } as const;
  const archive: Archive =
    shownJobs === null
      ? { ...of, jobIds: [jobId], round: body.round ?? null }
      : { ...of, jobIds: shownOf(shownJobs, body.job_id), round: 'final' };
  return { status: 200, body: await signArchive(parts, archive) };
}

function shownOf(shownJobs: readonly string[], id: string | undefined): readonly string[] {
  if (id === undefined) return shownJobs;
  const jobId = readId('job', id);
  if (jobId === null || !shownJobs.includes(jobId)) throw new Refusal('file_not_found');
  return [jobId];
}
