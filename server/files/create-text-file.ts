import { extname } from 'node:path';
import { maxTextBytes } from '../../contract/files/file.ts';
import type { createTextFile as endpoint } from '../../contract/files/uploads.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showFile } from '../jobs/job-file.ts';
import { unsafe } from '../safety/policy.ts';
import { findFile, storedType, uploadKey } from './file.ts';
import type { FilmReading } from './films/film.ts';
import { finalizeUpload } from './finalize-upload.ts';
import { startUpload, type UploadDependencies } from './start-upload.ts';
import type { Storage } from './storage.ts';

/** An upload whose bytes come with the request. A repeat after a crash writes them and completes it. */
export async function createTextFile(
  { db, storage, catalog, config }: UploadDependencies & { db: Db; storage: Storage; config: FilmReading },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  await storage.ready();
  const { text, purpose = 'job_source', ...rest } = body;
  const bytes = Buffer.from(text);
  const wish = { ...rest, purpose, content_type: typeOf(body.file_name), size_bytes: bytes.length };
  const answer = await withIdempotencyKey(db, request, async (trx) => {
    const fault = tooLong(bytes) ?? unsafe([['/text', text]]);
    if (fault) throw fault;
    return startUpload(trx, { catalog, config }, caller.accountId, wish, cause);
  });
  const file = await findFile(db, answer.body);
  if (file.status === 'pending_upload') await storage.write(uploadKey(file), { contentType: storedType(file), bytes });
  const uploaded = await finalizeUpload({ db, storage, catalog, config }, file, cause);
  return { ...answer, body: { file: showFile(uploaded) } };
}

const types: Record<string, string> = {
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.csv': 'text/csv',
  '.json': 'application/json',
};

/** Text of any other name is plain text, so that nothing is stored as a page or a program. */
const typeOf = (fileName: string): string => types[extname(fileName).toLowerCase()] ?? 'text/plain';

const tooLong = ({ length }: Buffer): Refusal | null =>
  length <= maxTextBytes
    ? null
    : new Refusal('file_too_large', {
        message: `The text has ${length} bytes in UTF-8; it can have at most ${maxTextBytes} (64 KiB).`,
        action: 'Send a shorter text, or upload it as a file.',
      });
