import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listJobs as endpoint } from '../../contract/jobs.ts';
import type { Context } from '../context.ts';
import type { Request } from '../http/request.ts';
import { cutPage, readCursor, writeCursor } from '../db/cursor.ts';
import { creatorName, hasPlan, type ListedJob, showJobListItem } from './job.ts';
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

  const rows = await db
    .selectFrom('jobs as j')
    .selectAll('j')
    .select([creatorName.as('creator_name'), hasPlan(graceHours).as('has_plan')])
    .where('account_id', '=', caller.accountId)
    .$if(status !== undefined, (jobs) => jobs.where('status', 'in', status ?? []))
    .where(filter.where)
    .$if(from !== null, (jobs) => jobs.where(sql<boolean>`(created_at, id) < (${from?.at}, ${from?.id}::uuid)`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(rows, limit, (last) =>
    writeCursor(signer, scope, { at: last.created_at, id: last.id }),
  );
  return { status: 200, body: { jobs: page.map((row) => showJobListItem(row as ListedJob)), next_cursor } };
}
