import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { downloadJobFile as endpoint } from '../../contract/deliverables.ts';
import type { Request } from '../http/request.ts';
import { downloadOf, fileUuid } from '../files/file.ts';
import type { Storage } from '../files/storage.ts';
import type { Db } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';
import { refuseUnlessHolding } from './desk-file.ts';
import { lockedDeskJob } from './desk-move.ts';

/** A short-lived URL of a file of a job, for who works on it. Files that no job has are the customer's own affair. */
export async function downloadJobFile(
  db: Db,
  storage: Storage,
  { caller, params, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = await db
    .selectFrom('files')
    .selectAll()
    .select(sql<Date>`now()`.as('now'))
    .where('id', '=', fileUuid(params.id))
    .where('status', '=', 'uploaded')
    .executeTakeFirst();
  const jobId = file?.job_id;
  if (!file || !jobId) throw new Refusal('file_not_found');
  await db.transaction().execute(async (trx) => {
    await refuseUnlessHolding(trx, caller, await lockedDeskJob(trx, showId('job', jobId)), body.lease_token);
  });
  return { status: 200, body: { download: await downloadOf(storage, file) } };
}
