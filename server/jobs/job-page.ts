import { type RawBuilder, sql } from 'kysely';
import { batch } from '../db/batch.ts';
import type { Position } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import { type ListedJob, listedColumns } from './job.ts';

export type JobPage = { accountId: string; before: Position | null; limit: number };

export async function readJobPages(
  db: Db,
  graceHours: number,
  pages: readonly JobPage[],
  filter: RawBuilder<boolean>,
): Promise<ListedJob[][]> {
  const { rows } = await sql<ListedJob & { page: number }>`
    select p.page::int as page, ${listedColumns(graceHours)}
    from unnest(${pages.map(({ accountId }) => accountId)}::uuid[],
        ${pages.map(({ before }) => before?.at ?? 'infinity')}::timestamptz[],
        ${pages.map(({ before }) => before?.id ?? greatestId)}::uuid[],
        ${pages.map(({ limit }) => limit)}::int[])
      with ordinality as p (account_id, before_at, before_id, job_limit, page)
    cross join lateral (
      select * from jobs
      where jobs.account_id = p.account_id and (created_at, id) < (p.before_at, p.before_id) and ${filter}
      order by created_at desc, id desc limit p.job_limit
    ) j
    order by p.page, j.created_at desc, j.id desc`.execute(db);
  const rowsByPage = Map.groupBy(rows, ({ page }) => page);
  return pages.map((_, n) => rowsByPage.get(n + 1) ?? []);
}

/**
 * Jobs that changed after a position, oldest change first. A job that changes between two pages comes again.
 */
export async function readChangedJobs(
  db: Db,
  graceHours: number,
  { accountId, after, limit }: { accountId: string; after: Position; limit: number },
  filter: RawBuilder<boolean>,
): Promise<ListedJob[]> {
  const { rows } = await sql<ListedJob>`
    select ${listedColumns(graceHours, sql`${accountId}`)}
    from (
      select * from jobs
      where jobs.account_id = ${accountId} and (updated_at, id) > (${after.at}, ${after.id}::uuid) and ${filter}
      order by updated_at, id limit ${limit}
    ) j
    order by j.updated_at, j.id`.execute(db);
  return rows;
}

export const leastId = '00000000-0000-0000-0000-000000000000';
const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Concurrent calls share a statement. Small batches, because their rows stay in memory. */
export function createReadJobPage(db: Db, graceHours: number): (page: JobPage) => Promise<ListedJob[]> {
  return batch((pages: readonly JobPage[]) => readJobPages(db, graceHours, pages, sql<boolean>`true`), {
    maxBatchSize: 8,
    maxInFlight: 3,
  });
}

export type ReadJobPage = ReturnType<typeof createReadJobPage>;
