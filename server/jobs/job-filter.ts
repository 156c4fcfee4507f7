import { type RawBuilder, sql } from 'kysely';
import type { Query } from '../../contract/endpoint.ts';
import type { countJobs } from '../../contract/jobs/jobs.ts';
import { badRequest } from '../http/refusal.ts';
import { readId } from '../lib/id.ts';

export function readJobFilter(query: Query<typeof countJobs>): { where: RawBuilder<boolean>; key: unknown[] } {
  const { service_family, source, reference, waiting_on, q, created_after, created_before, updated_after } = query;
  if (created_after && created_before && Date.parse(created_after) > Date.parse(created_before))
    throw badRequest('created_after', 'must not be later than `created_before`');
  const conditions = [
    sql<boolean>`true`,
    ...(service_family === undefined ? [] : [sql<boolean>`service_family = ${service_family}`]),
    ...(source === undefined ? [] : [sql<boolean>`source = ${source}`]),
    ...(reference === undefined ? [] : [sql<boolean>`reference = ${reference}`]),
    ...(waiting_on === undefined ? [] : [sql<boolean>`waiting_since is not null`]),
    ...(q === undefined ? [] : [matching(q)]),
    ...(created_after === undefined ? [] : [sql<boolean>`created_at >= ${created_after}::timestamptz`]),
    ...(created_before === undefined ? [] : [sql<boolean>`created_at < ${created_before}::timestamptz`]),
    ...(updated_after === undefined ? [] : [sql<boolean>`updated_at >= ${updated_after}::timestamptz`]),
  ];
  return {
    where: sql<boolean>`(${sql.join(conditions, sql` and `)})`,
    key: [service_family, source, reference, waiting_on, q, created_after, created_before, updated_after],
  };
}

/** `%` and `_` in the text match literally. */
function matching(q: string): RawBuilder<boolean> {
  const pattern = `%${q.trim().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const id = readId('job', q.trim());
  return id === null
    ? sql<boolean>`customer_title ilike ${pattern}`
    : sql<boolean>`(id = ${id} or customer_title ilike ${pattern})`;
}
