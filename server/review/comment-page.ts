import { cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import { isoTime } from '../db/time.ts';
import { type Commenter, readComments, showComment } from '../jobs/job-comment.ts';
import type { JobKey } from '../jobs/job-event.ts';
import type { Signer } from '../lib/signer.ts';

type Query = { round?: number; cursor?: string; limit?: number };

/** A page of comments in the order of creation. The studio reads those that were sent. */
export async function commentPage(
  db: Db,
  signer: Signer,
  job: JobKey,
  reader: Commenter,
  { round, cursor, limit = 25 }: Query,
) {
  const scope = ['listComments', reader.side, job.account_id, job.id, round ?? null];
  const after = readCursor(signer, scope, cursor)?.id;
  const filter = { round, after, limit: limit + 1 };
  const rows = await readComments(db, job, reader.readsUnsent ? filter : { ...filter, sent: true });
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, ({ id, created_at }) => ({
    at: new Date(isoTime(created_at)),
    id,
  }));
  return { comments: page.map((row) => showComment(row, reader)), next_cursor };
}
