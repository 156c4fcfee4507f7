import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

type InUse = { service_family: string; service_type: string | null; open_jobs: number; open_drafts: number };

/** What is open of families and options (`family/option`); those of which nothing is are left out. */
export async function servicesInUse(db: Db, ids: readonly string[]): Promise<InUse[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<InUse>`
    with open as (
      select service_family, service_type, count(*) as jobs, 0 as drafts from jobs
      where status not in ('completed', 'rejected', 'canceled') group by 1, 2
      union all
      select draft ->> 'service_family', draft ->> 'service_type', 0, count(*) from intake_sessions
      where status in ('open', 'brief_ready') group by 1, 2)
    select service_family, service_type, sum(jobs)::int as open_jobs, sum(drafts)::int as open_drafts from open
    where concat_ws('/', service_family, service_type) = any(${ids}::text[])
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}
