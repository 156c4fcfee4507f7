import { sql } from 'kysely';
import type { listJobs as endpoint } from '../../contract/jobs/jobs.ts';
import { type Catalog, refuseUnknownFamily } from '../catalog/catalog.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { cutPage, readCursor } from '../db/cursor.ts';
import { isoTime } from '../db/time.ts';
import { limitOf, showJobListItem } from './job.ts';
import { readJobFilter } from './job-filter.ts';
import { leastId, readChangedJobs, readJobPages, type ReadJobPage } from './job-page.ts';
import { readWork } from './job-work.ts';
import type { Db } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';

type Parts = { db: Db; catalog: Catalog; graceHours: number; readJobPage: ReadJobPage; signer: Signer };

export async function listJobs(
  { db, catalog, graceHours, readJobPage, signer }: Parts,
  { caller, query: { cursor, limit = 25, include, ...filters } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  refuseUnknownFamily(catalog, filters.service_family);
  const { where, key } = readJobFilter(filters);
  const { status } = filters;
  const scope = ['listJobs', caller.accountId, [status?.toSorted(), ...key]];
  const from = readCursor(signer, scope, cursor);
  const page = { accountId: caller.accountId, before: from, limit: limit + 1 };

  // A filtered search may read many rows, so it must not delay a shared statement.
  const isFiltered = Object.keys(filters).length > 0;
  const filter = status ? sql<boolean>`${where} and status = any(${status}::text[])` : where;
  const since = filters.updated_after;
  const rows =
    since !== undefined
      ? await readChangedJobs(db, graceHours, { ...page, after: from ?? { at: new Date(since), id: leastId } }, filter)
      : isFiltered
        ? (await readJobPages(db, graceHours, [page], filter)).flat()
        : await readJobPage(page);
  const { page: jobs, next_cursor } = cutPage(signer, scope, rows, limit, ({ id, created_at, updated_at }) => ({
    at: new Date(isoTime(since === undefined ? created_at : updated_at)),
    id,
  }));
  const workOf = include === undefined ? () => ({}) : await readWork(db, caller.accountId, jobs);
  return {
    status: 200,
    body: { jobs: jobs.map((job) => ({ ...showJobListItem(job, limitOf(caller)), ...workOf(job) })), next_cursor },
  };
}
