import { sql } from 'kysely';
import type { countListedJobs as endpoint } from '../../../contract/desk/queue.ts';
import { type Catalog, refuseUnknownFamily } from '../../catalog/catalog.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { readQueueFilter, timeZoneOf } from './queue-filter.ts';

export async function countListedJobs(
  { db, catalog, graceHours }: { db: Db; catalog: Catalog; graceHours: number },
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  refuseUnknownFamily(catalog, query.service_family);
  const matching = readQueueFilter(query, { graceHours, timeZone: timeZoneOf(catalog), me: caller.userId });
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from jobs j
    where ${matching.length === 0 ? sql`true` : sql.join(matching, sql` and `)}`.execute(db);
  return { status: 200, body: { total: rows[0]?.total ?? 0 } };
}
