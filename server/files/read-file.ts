import type { readFile as endpoint } from '../../contract/files/files.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { isBrandCopy, showFile } from '../jobs/job-file.ts';
import { fileUuid, isShownTo } from './file.ts';
import type { Db } from '../db/pool.ts';

/** Unreleased deliverables are not found. */
export async function readFile(
  { db }: { db: Db },
  { caller, params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = await db
    .selectFrom('files')
    .selectAll()
    .where('account_id', '=', caller.accountId)
    .where('id', '=', fileUuid(params.id))
    .where((row) =>
      row.or([row('uploaded_by', '=', 'customer'), row('released_at', 'is not', null), row('sent_at', 'is not', null)]),
    )
    .where((row) => row.not(isBrandCopy))
    .where(isShownTo(caller))
    .executeTakeFirst();
  if (!file) throw new Refusal('file_not_found');
  return { status: 200, body: { file: showFile(file) } };
}
