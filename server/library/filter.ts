import { type RawBuilder, sql } from 'kysely';
import { endedStatuses } from '../../contract/moves.ts';
import { leavingDays, type LibraryFilters } from '../../contract/files/library.ts';
import { containing } from '../db/containing.ts';
import { badRequest } from '../http/refusal.ts';
import { isBrandCopy } from '../jobs/job-file.ts';
import { isDelivered, isFinal } from '../jobs/last-delivery.ts';
import { readId } from '../lib/id.ts';

/** When the bytes of a file `f` of the job `j` leave. Retention counts from its end, or from the upload. */
export const leavesAt = sql<Date>`greatest(
  (f.uploaded_at at time zone 'UTC' + make_interval(days => f.retention_days)) at time zone 'UTC',
  case when j.status = any(${[...endedStatuses]}) then j.status_changed_at + f.retention_days * interval '24 hours'
    else 'infinity' end)`;

/** The brand name in the copy of the kit that the job `j` was ordered with. */
export const brandName = (accountId: string) => sql<string | null>`(
  select fact ->> 'text' from job_brands b, jsonb_array_elements(b.facts) as fact
  where b.account_id = ${accountId} and b.job_id = j.id and lower(fact ->> 'label') = 'brand name' limit 1)`;

/** Whether the account uploaded a file `f` for its work. Copies of the brand kit are not listed. */
export const isOwn = sql<boolean>`(f.uploaded_by = 'customer' and f.status = 'uploaded' and not ${isBrandCopy})`;

/** No file of a last delivery is kept for more than a year after the end, or after the import of the job. */
export const isLeaving = (
  accountId: string,
) => sql<boolean>`(greatest(j.status_changed_at, j.imported_at) > now() - interval '366 days' and exists (
  select from files f where f.account_id = ${accountId} and f.job_id = j.id and f.status = 'uploaded'
    and ${isFinal(accountId, 'f')} and ${leavesAt} <= now() + make_interval(days => ${leavingDays})))`;

/** Of a job `j` that was approved, or else created, `at` a time. `key`: what a cursor belongs to. */
export function readFilters(accountId: string, filters: LibraryFilters, at: RawBuilder<Date>) {
  const { service_family, service_type, brand, person_id, approved_after, approved_before, leaving, q } = filters;
  if (approved_after && approved_before && Date.parse(approved_after) > Date.parse(approved_before))
    throw badRequest('approved_after', 'must not be later than `approved_before`');
  const conditions = [
    sql<boolean>`true`,
    ...(service_family === undefined ? [] : [sql<boolean>`j.service_family = ${service_family}`]),
    ...(service_type === undefined ? [] : [sql<boolean>`j.service_type = ${service_type}`]),
    ...(brand === undefined ? [] : [sql<boolean>`${brandName(accountId)} = ${brand}`]),
    ...(person_id === undefined ? [] : [sql<boolean>`j.created_by_user = ${readId('user', person_id)}::uuid`]),
    ...(approved_after === undefined ? [] : [sql<boolean>`${at} >= ${approved_after}::timestamptz`]),
    ...(approved_before === undefined ? [] : [sql<boolean>`${at} < ${approved_before}::timestamptz`]),
    ...(leaving === undefined ? [] : [sql<boolean>`${isLeaving(accountId)} = ${leaving}`]),
    ...(q === undefined ? [] : [matching(accountId, q)]),
  ];
  return {
    where: sql<boolean>`(${sql.join(conditions, sql` and `)})`,
    key: [service_family, service_type, brand, person_id, approved_after, approved_before, leaving, q],
  };
}

function matching(accountId: string, q: string): RawBuilder<boolean> {
  const pattern = containing(q);
  return sql<boolean>`(j.customer_title ilike ${pattern} or j.id = ${readId('job', q.trim())}::uuid
    or exists (select from files f where f.account_id = ${accountId} and f.job_id = j.id
      and f.file_name ilike ${pattern} and (${isDelivered('f')} or ${isOwn})))`;
}
