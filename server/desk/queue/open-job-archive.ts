import type { openJobArchive as endpoint } from '../../../contract/files/archives.ts';
import type { ArchiveParts } from '../../files/archive.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { createJobArchive } from './create-job-archive.ts';

/** The URL is signed for this moment, so no cache may store it. */
export async function openJobArchive(
  parts: ArchiveParts,
  { query, ...request }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { body } = await createJobArchive(parts, { ...request, body: query });
  return { status: 303, body: undefined, headers: { location: body.download.url, 'cache-control': 'no-store' } };
}
