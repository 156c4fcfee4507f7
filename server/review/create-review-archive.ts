import type { createReviewArchive as endpoint } from '../../contract/files/archives.ts';
import { type ArchiveParts, signArchive } from '../files/archive.ts';
import type { AnswerOf, Request } from '../http/request.ts';

export async function createReviewArchive(
  parts: ArchiveParts,
  { caller, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId, jobId, reviewLinkId } = caller;
  const round = body.round ?? null;
  return {
    status: 200,
    body: await signArchive(parts, { holder: 'guest', holderId: reviewLinkId, accountId, jobIds: [jobId], round }),
  };
}
