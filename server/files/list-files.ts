import { sql } from 'kysely';
import type { listFiles as endpoint } from '../../contract/files/files.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import { ownedJobId } from '../jobs/job.ts';
import { isBrandCopy, showFile } from '../jobs/job-file.ts';
import type { Db } from '../db/pool.ts';
import { isShownTo } from './file.ts';
import type { Signer } from '../lib/signer.ts';

export async function listFiles(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId } = caller;
  const { limit = 25 } = query;
  const { attached } = query;
  const scope = ['listFiles', accountId, query.job_id, attached];
  const from = readCursor(signer, scope, query.cursor);
  const jobId = query.job_id === undefined ? null : await ownedJobId(db, accountId, query.job_id);

  const rows = await db
    .selectFrom('files')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((row) =>
      row.or([row('uploaded_by', '=', 'customer'), row('released_at', 'is not', null), row('sent_at', 'is not', null)]),
    )
    .where((row) => row.not(isBrandCopy))
    .where(isShownTo(caller))
    .$if(jobId !== null, (files) => files.where('job_id', '=', jobId))
    .$if(attached !== undefined, (files) => files.where('job_id', attached ? 'is not' : 'is', null))
    .$if(from !== null, (files) => files.where(sql<boolean>`(created_at, id) < (${from?.at}, ${from?.id}::uuid)`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { files: page.map(showFile), next_cursor } };
}
