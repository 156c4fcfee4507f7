import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listJobs as endpoint } from '../../contract/jobs.ts';
import type { Context } from '../context.ts';
import type { Request } from '../http/request.ts';
import { cutPage, readCursor, writeCursor } from '../db/cursor.ts';
import { isoTime } from '../db/time.ts';
import { type ListedJob, listedColumns, showJobListItem } from './job.ts';
import { readJobFilter } from './job-filter.ts';

/** The account's jobs, newest first by creation, a page at a time. A cursor holds for this account and these filters only. */
export async function listJobs(
  { db, graceHours, signer }: Pick<Context, 'db' | 'graceHours' | 'signer'>,
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { status, limit = 25 } = query;
  const filter = readJobFilter(query);
  const scope = ['listJobs', caller.accountId, [status?.toSorted(), ...filter.key]];
  const from = readCursor(signer, scope, query.cursor);

  const { rows } = await sql<ListedJob>`
    select ${listedColumns(graceHours)}
    from jobs j
    where j.account_id = ${caller.accountId} and ${filter.where}
      ${status ? sql`and j.status = any(${status}::text[])` : sql``}
      ${from ? sql`and (j.created_at, j.id) < (${from.at}, ${from.id}::uuid)` : sql``}
    order by j.created_at desc, j.id desc
    limit ${limit + 1}`.execute(db);
  const { page, next_cursor } = cutPage(rows, limit, (last) =>
    writeCursor(signer, scope, { at: new Date(isoTime(last.created_at)), id: last.id }),
  );
  return { status: 200, body: { jobs: page.map(showJobListItem), next_cursor } };
}
