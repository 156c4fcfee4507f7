import type { AnswerOf } from '../../contract/endpoint.ts';
import { posterBytes } from '../../contract/files/file.ts';
import type { createPoster } from '../../contract/files/uploads.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { earlierAnswer, withIdempotencyKey } from '../db/idempotency.ts';
import type { Cause, Request } from '../http/request.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import { type FileRow, showFile } from '../jobs/job-file.ts';
import { showId } from '../lib/id.ts';
import { drawNow } from './draw-poster.ts';
import { unsharedKeys } from './file.ts';
import { newPosterKey } from './poster-url.ts';
import type { Storage } from './storage.ts';

type Answer = AnswerOf<typeof createPoster>;
type Dependencies = { db: Db; storage: Storage };
type Sent = Pick<Request<typeof createPoster>, 'body' | 'cause' | 'route' | 'keyOwner' | 'idempotencyKey'>;

/** Adds a frame as the poster of a video, in place of an earlier one. The caller must have checked access. */
export async function addPoster({ db, storage }: Dependencies, request: Sent, file: FileRow): Promise<Answer> {
  const earlier = await earlierAnswer<Answer>(db, request);
  if (earlier) return earlier;
  refuseUnlessVideo(file);
  refuseUnlessUploaded(file);
  const picture = await encodeAgain(request.body.jpeg);
  const key = newPosterKey();
  await storage.write(key, { contentType: 'image/webp', bytes: picture });
  let useless: string | null = key;
  try {
    let replaced: string | null = key; // of a repeat at the same moment, this one's object
    const answer = await withIdempotencyKey(db, request, async (trx) => {
      const { before, after } = await setPoster(trx, file, key, request.cause);
      replaced = before.poster_key;
      return { status: 201 as const, body: { file: showFile(after) }, accountId: file.account_id };
    });
    useless = replaced;
    return answer;
  } finally {
    // If this fails, the sweep does it.
    if (useless !== null) await removeUnshared({ db, storage }, useless).catch(() => {});
  }
}

/** Needs no idempotency key, because the page that sends the frame ends with the upload. */
export async function addFrame(
  { db, storage }: Dependencies,
  file: FileRow,
  jpeg: string,
  cause: Cause,
): Promise<void> {
  refuseUnlessVideo(file);
  const key = newPosterKey();
  await storage.write(key, { contentType: 'image/webp', bytes: await encodeAgain(jpeg) });
  await transact(db, (trx) => setPoster(trx, file, key, cause));
}

/** Copies of a file share their posters. */
async function removeUnshared({ db, storage }: Dependencies, key: string): Promise<void> {
  for (const unshared of await unsharedKeys(db, [key])) await storage.remove(unshared);
}

function refuseUnlessVideo({ content_type }: FileRow): void {
  if (!content_type.startsWith('video/'))
    throw new Refusal('unsupported_file', {
      message: `A poster can be sent for a video; this file is ${content_type}.`,
      action: 'Leave it out: the service draws the posters of pictures and PDFs itself.',
    });
}

function refuseUnlessUploaded({ status }: FileRow): void {
  if (status === 'uploaded') return;
  throw new Refusal(
    'upload_incomplete',
    status === 'pending_upload' ? {} : { message: `This file is ${status}.`, action: 'Upload it again.' },
  );
}

/** Whatever the frame contains besides its picture is left behind. */
async function encodeAgain(jpeg: string): Promise<Buffer> {
  const bytes = Buffer.from(jpeg, 'base64');
  const picture = bytes.length <= posterBytes ? await drawNow(bytes) : null;
  if (picture === null)
    throw badBody([{ location: '/jpeg', message: `must be a JPEG of at most ${posterBytes} bytes, in base64` }]);
  return picture;
}

async function setPoster(trx: Trx, { account_id, id }: FileRow, key: string, cause: Cause) {
  const before = await trx
    .selectFrom('files')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  refuseUnlessUploaded(before);
  refuseIfShown(before);
  const after = await trx
    .updateTable('files')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .set({ poster_status: 'made', poster_key: key, poster_due_at: null })
    .returningAll()
    .executeTakeFirstOrThrow();
  const action = before.uploaded_by === 'customer' ? 'file.poster_added' : 'deliverable.poster_added';
  await appendAudit(trx, cause, { action, subject: showId('file', id), accountId: account_id });
  return { before, after };
}

/** What the customer has seen of a file of the studio does not change. */
function refuseIfShown({ released_at, sent_at }: FileRow): void {
  if (released_at !== null || sent_at !== null)
    throw new Refusal('file_in_use', {
      message: 'The customer has this file already, so its poster stays.',
      action: 'Send the poster before the file is delivered.',
    });
}
