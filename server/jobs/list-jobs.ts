import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listJobs as endpoint } from '../../contract/jobs.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { cutPage, readCursor, writeCursor } from '../db/cursor.ts';
import { badRequest } from '../http/refusal.ts';
import type { Signer } from '../lib/signer.ts';
import { type JobRow, showJobListItem } from './job.ts';

/** The account's jobs, newest first by creation, a page at a time. A cursor holds for this account and these filters only. */
export async function listJobs(
  db: Db,
  signer: Signer,
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { status, service_family, created_after, created_before, limit = 25 } = query;
  if (created_after && created_before && Date.parse(created_after) > Date.parse(created_before))
    throw badRequest('created_after', 'must not be later than created_before');
  const filters = [status?.toSorted(), service_family, created_after, created_before];
  const scope = ['listJobs', caller.accountId, filters];
  const from = readCursor(signer, scope, query.cursor);

  const rows = await db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', caller.accountId)
    .$if(status !== undefined, (jobs) => jobs.where('status', 'in', status ?? []))
    .$if(service_family !== undefined, (jobs) => jobs.where('service_family', '=', service_family ?? ''))
    .$if(created_after !== undefined, (jobs) =>
      jobs.where('created_at', '>=', sql<Date>`${created_after}::timestamptz`),
    )
    .$if(created_before !== undefined, (jobs) =>
      jobs.where('created_at', '<', sql<Date>`${created_before}::timestamptz`),
    )
    .$if(from !== null, (jobs) => jobs.where(sql<boolean>`(created_at, id) < (${from?.at}, ${from?.id}::uuid)`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(rows, limit, (last) =>
    writeCursor(signer, scope, { at: last.created_at, id: last.id }),
  );
  return { status: 200, body: { jobs: page.map((row) => showJobListItem(row as JobRow)), next_cursor } };
}
