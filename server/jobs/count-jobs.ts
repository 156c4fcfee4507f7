import { sql } from 'kysely';
import type { countJobs as endpoint } from '../../contract/jobs/jobs.ts';
import { type JobStatus, jobStatuses } from '../../contract/moves.ts';
import { type Catalog, refuseUnknownFamily } from '../catalog/catalog.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { readJobFilter } from './job-filter.ts';
import type { Db } from '../db/pool.ts';

export async function countJobs(
  { db, catalog }: { db: Db; catalog: Catalog },
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  refuseUnknownFamily(catalog, query.service_family);
  const rows = await db
    .selectFrom('jobs')
    .select(['status', sql<number>`count(*)::int`.as('count')])
    .where('account_id', '=', caller.accountId)
    .where(readJobFilter(query).where)
    .groupBy('status')
    .execute();
  const countOf = new Map(rows.map(({ status, count }) => [status, count]));
  const counts = Object.fromEntries(jobStatuses.map((status) => [status, countOf.get(status) ?? 0]));
  return { status: 200, body: { counts: counts as Record<JobStatus, number> } };
}
