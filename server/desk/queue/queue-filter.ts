import { type RawBuilder, sql } from 'kysely';
import type { Query } from '../../../contract/endpoint.ts';
import type { countListedJobs } from '../../../contract/desk/queue.ts';
import { endedStatuses } from '../../../contract/moves.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { accountsOf } from '../../entitlements/standing.ts';
import { badRequest } from '../../http/refusal.ts';
import { readId } from '../../lib/id.ts';
import { duePosition, hasParked, isOpen, isOverdue } from './desk-job.ts';

export type JobFilter = Query<typeof countListedJobs>;
export type FilterTerms = { graceHours: number; timeZone: string; me: string };

/** Of the days of a filter. */
export const timeZoneOf = ({ businessHours }: Catalog): string => businessHours?.time_zone ?? 'UTC';

/** For statements that select from `jobs j`. An unknown account or holder matches nothing. */
export function readQueueFilter(filter: JobFilter, { graceHours, timeZone, me }: FilterTerms): RawBuilder<unknown>[] {
  const { status, service_family, account_id, holder, parked, overdue, waiting_on, standing } = filter;
  return [
    ...(onlyOpen(filter) ? [isOpen] : []),
    ...(status === undefined ? [] : [inStatus(status)]),
    ...(service_family === undefined ? [] : [sql`j.service_family = ${service_family}`]),
    ...(account_id === undefined ? [] : [sql`j.account_id = ${readId('acct', account_id)}`]),
    ...(holder === undefined ? [] : [heldBy(holder, me)]),
    ...(parked === undefined ? [] : [parked ? hasParked : sql`not ${hasParked}`]),
    ...(overdue === undefined ? [] : [overdue ? sql`${isOverdue} and ${duePosition} < now()` : sql`not ${isOverdue}`]),
    ...(waiting_on === undefined ? [] : [sql`j.waiting_since is not null`]),
    ...(standing === undefined ? [] : [sql`j.account_id in ${accountsOf(standing, graceHours)}`]),
    ...inDays(filter, timeZone),
  ];
}

/** Whole days. A job was created before it ended, and an index of creations finds that. */
function inDays({ created_from, created_to, ended_from, ended_to }: JobFilter, timeZone: string) {
  const after = (column: RawBuilder<unknown>, name: string, day: string | undefined) =>
    day === undefined ? [] : [sql`${column} >= ${startOf(name, day, timeZone, 0)}`];
  const before = (column: RawBuilder<unknown>, name: string, day: string | undefined) =>
    day === undefined ? [] : [sql`${column} < ${startOf(name, day, timeZone, 1)}`];
  const [created, ended] = [sql`j.created_at`, sql`j.status_changed_at`];
  return [
    ...(ended_from === undefined && ended_to === undefined ? [] : [isEnded]),
    ...after(created, 'created_from', created_from),
    ...before(created, 'created_to', created_to),
    ...after(ended, 'ended_from', ended_from),
    ...before(ended, 'ended_to', ended_to),
    ...before(created, 'ended_to', ended_to),
  ];
}

function startOf(name: string, day: string, timeZone: string, later: number): RawBuilder<unknown> {
  const date = new Date(`${day}T00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day || date.getUTCFullYear() < 1970)
    throw badRequest(name, 'must be a day of the calendar');
  return sql`((${day}::date + ${later}::int)::timestamp at time zone ${timeZone})`;
}

const isEnded = sql`j.status in (${sql.join(endedStatuses.map((status) => sql.lit(status)))})`;

/** Whether no ended job can be among the rows. */
const onlyOpen = ({ status, holder, parked, overdue, waiting_on }: JobFilter): boolean =>
  status?.every((name) => !(endedStatuses as readonly string[]).includes(name)) ||
  parked === true ||
  overdue === true ||
  waiting_on !== undefined ||
  (holder !== undefined && holder !== 'none');

/** With one status, rows can be read in the order of an index. */
const inStatus = (statuses: string[]) =>
  statuses.length === 1 ? sql`j.status = ${statuses[0]}` : sql`j.status = any(${statuses}::text[])`;

function heldBy(holder: string, me: string) {
  if (holder === 'none') return sql<boolean>`j.held_since is null`;
  if (holder === 'worker') return sql<boolean>`(j.held_since is not null and j.worker_key_id is not null)`;
  const worker = readId('wkey', holder);
  if (worker !== null) return sql<boolean>`(j.held_since is not null and j.worker_key_id = ${worker})`;
  return sql<boolean>`(j.held_since is not null and j.operator_id = ${holder === 'me' ? me : readId('user', holder)})`;
}
