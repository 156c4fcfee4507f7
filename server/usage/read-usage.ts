import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { KeyStatus } from '../../contract/developer/keys.ts';
import type { readUsage as endpoint } from '../../contract/plans/usage.ts';
import { usable } from '../entitlements/entitlement.ts';
import { isView, type Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { epochMilliseconds, isoTime } from '../db/time.ts';
import { keyStatus } from '../keys/api-key.ts';
import { readId, showId } from '../lib/id.ts';
import { badRequest, Refusal } from '../http/refusal.ts';

type Sum = { key: string; quantity: number };
type Plan = Sum & { quota: number; remaining: number };
type Entry = {
  id: string;
  job_id: string;
  service_family: string;
  plan_code: string;
  api_key_id: string | null;
  quantity: number;
  unit: string;
  at: number;
};
type Adjustment = {
  id: string;
  plan_code: string;
  start: number;
  end: number;
  quantity: number;
  unit: string;
  reason: string;
  at: number;
};
type Row = {
  start: Date;
  end: Date;
  by_entitlement: Plan[];
  by_service_family: Sum[];
  by_api_key: (Sum & { name: string; prefix: string; status: Static<typeof KeyStatus> })[];
  by_day: { at: number; quantity: number }[];
  recent: Entry[];
  adjustments: Adjustment[];
};

const day = 86_400_000;

export async function readUsage(
  { db, graceHours }: { db: Db; graceHours: number },
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { period_start, period_end } = query;
  if (period_start && period_end && Date.parse(period_start) > Date.parse(period_end))
    throw badRequest('period_start', 'must not be later than period_end');
  const jobId = query.job_id === undefined ? null : await authorizedJob(db, caller.accountId, query.job_id);
  const row = await sum(db, caller.accountId, graceHours, {
    jobId,
    start: period_start,
    end: period_end,
  });
  const total = (field: 'quantity' | 'quota' | 'remaining') =>
    row.by_entitlement.reduce((all, item) => all + item[field], 0);
  const usage = {
    period: { start: isoTime(row.start), end: isoTime(row.end) },
    range: rangeOf(period_start, period_end),
    totals: { quantity: total('quantity'), quota: total('quota'), remaining: total('remaining'), unit: 'job' },
    summaries: {
      by_entitlement: row.by_entitlement,
      by_service_family: row.by_service_family,
      by_api_key: isView(caller)
        ? []
        : row.by_api_key.map(({ key, ...sum }) => ({ api_key_id: showId('key', key), ...sum })),
    },
    buckets: row.by_day.map(({ at, quantity }) => ({ start: isoTime(at), end: isoTime(at + day), quantity })),
    recent_events: row.recent.map(({ id, job_id, api_key_id, at, ...entry }) => ({
      id: showId('evt', id),
      type: entry.quantity > 0 ? ('job.created' as const) : ('job.released' as const),
      job_id: showId('job', job_id),
      ...entry,
      api_key_id: api_key_id && showId('key', api_key_id),
      created_at: isoTime(at),
    })),
    quota_adjustments: row.adjustments.map(({ id, start, end, at, ...adjustment }) => ({
      id: showId('adj', id),
      ...adjustment,
      period: { start: isoTime(start), end: isoTime(end) },
      created_at: isoTime(at),
    })),
  };
  return { status: 200, body: { usage } };
}

function rangeOf(start: string | undefined, end: string | undefined) {
  if (start === undefined && end === undefined) return null;
  const shown = (bound: string | undefined) => (bound === undefined ? null : isoTime(Date.parse(bound)));
  return { start: shown(start), end: shown(end) };
}

async function authorizedJob(db: Db, accountId: string, id: string): Promise<string> {
  const uuid = readId('job', id);
  const job =
    uuid &&
    (await db
      .selectFrom('jobs')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', uuid)
      .executeTakeFirst());
  if (!job) throw new Refusal('job_not_found');
  return job.id;
}

type Selection = { jobId: string | null; start: string | undefined; end: string | undefined };

const isRanged = ({ start, end }: Selection) => start !== undefined || end !== undefined;
const inRange = ({ start, end }: Selection) =>
  sql`l.created_at >= ${start ?? '-infinity'} and l.created_at < ${end ?? 'infinity'}`;
const ofJob = ({ jobId }: Selection) => (jobId === null ? sql`true` : sql`l.job_id = ${jobId}`);

/** What counts: the given range, or else the current period of each active plan. */
function counted(accountId: string, selection: Selection): RawBuilder<unknown> {
  if (selection.jobId !== null)
    return ledgerRows(
      accountId,
      sql`${ofJob(selection)} and ${isRanged(selection) ? inRange(selection) : current('l')}`,
    );
  if (!isRanged(selection))
    return totalRows(
      accountId,
      sql`t.day >= (select min(period_start at time zone 'UTC')::date from plan) and ${current('t')}`,
    );
  return sql`${totalRows(accountId, wholeDays(selection))} union all ${ledgerRows(accountId, partsOfDays(selection))}`;
}

const current = (row: 'l' | 't') => sql`exists (select from plan
        where plan.id = ${sql.ref(`${row}.entitlement_id`)} and plan.period_start = ${sql.ref(`${row}.period_start`)})`;

const ledgerRows = (accountId: string, condition: RawBuilder<unknown>) => sql`
      select l.entitlement_id, l.service_family, l.api_key_id, (l.created_at at time zone 'UTC')::date as day, l.quantity
      from usage_ledger l where l.account_id = ${accountId} and ${condition}`;

const totalRows = (accountId: string, condition: RawBuilder<unknown>) => sql`
      select t.entitlement_id, t.service_family, nullif(t.api_key_id, '00000000-0000-0000-0000-000000000000'), t.day, t.quantity
      from usage_totals t where t.account_id = ${accountId} and ${condition}`;

function daysOf({ start, end }: Selection): { first: string; after: string } {
  const first = start === undefined ? '-infinity' : isoTime(Math.ceil(Date.parse(start) / day) * day);
  const after = end === undefined ? 'infinity' : isoTime(Math.floor(Date.parse(end) / day) * day);
  return { first, after };
}

function wholeDays(selection: Selection) {
  const { first, after } = daysOf(selection);
  return sql`t.day >= (${first}::timestamptz at time zone 'UTC')::date and t.day < (${after}::timestamptz at time zone 'UTC')::date`;
}

/** The parts of a range on its first and last day; on a single day, the whole range. */
function partsOfDays(selection: Selection) {
  const { first, after } = daysOf(selection);
  const [start, end] = [selection.start ?? '-infinity', selection.end ?? 'infinity'];
  return sql`(l.created_at >= ${start} and l.created_at < least(${first}::timestamptz, ${end}::timestamptz)
        or l.created_at >= greatest(${after}::timestamptz, ${start}::timestamptz) and l.created_at < ${end})`;
}

/** The same of adjustments, which belong to no job. */
function countedAdjustments(selection: Selection): RawBuilder<unknown> {
  if (selection.jobId !== null) return sql`false`;
  if (!isRanged(selection)) return current('l');
  return inRange(selection);
}

const list = (columns: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
  sql`coalesce((select json_agg(x) from (select ${columns} from ${from}) x), '[]')`;

async function sum(db: Db, accountId: string, graceHours: number, selection: Selection): Promise<Row> {
  const { rows } = await sql<Row>`
    with plan as (
      select e.id, e.code, e.quota, greatest(e.quota - p.used, 0) as remaining, p.period_start, p.period_end
      from entitlements e join entitlement_periods p on p.account_id = ${accountId} and p.entitlement_id = e.id
      where e.account_id = ${accountId} and ${usable(graceHours)}
    ),
    adjusted as (
      select l.* from quota_adjustments l
      where l.account_id = ${accountId} and ${countedAdjustments(selection)}
    ),
    counted (entitlement_id, service_family, api_key_id, day, quantity) as (
      ${counted(accountId, selection)}
      union all
      select entitlement_id, null, null, (created_at at time zone 'UTC')::date, quantity from adjusted
    ),
    -- Under the code that its entitlement has now: after an upgrade what was used before counts there too.
    entry as (
      select c.*, e.code as plan_code
      from counted c join entitlements e on e.account_id = ${accountId} and e.id = c.entitlement_id
    ),
    code as (
      select code, sum(quota)::int as quota, sum(remaining)::int as remaining from plan group by code
      union all
      select distinct plan_code, 0, 0 from entry where plan_code not in (select code from plan)
    ),
    recent as (
      select l.* from usage_ledger l where l.account_id = ${accountId} and ${ofJob(selection)} and ${inRange(selection)}
      order by l.created_at desc, l.id desc limit 20
    )
    select
      coalesce((select period_start from plan order by period_end, id limit 1),
        date_trunc('month', now(), 'UTC')) as start,
      coalesce((select period_end from plan order by period_end, id limit 1),
        date_trunc('month', now(), 'UTC') + interval '1 month') as end,
      ${list(
        sql`code as key, quota, remaining,
          coalesce((select sum(quantity) from entry where plan_code = code), 0)::int as quantity`,
        sql`code order by code`,
      )} as by_entitlement,
      ${list(sql`service_family as key, sum(quantity)::int as quantity`, sql`entry where service_family is not null group by 1 order by 1`)} as by_service_family,
      ${list(
        sql`key.id as key, key.name, key.prefix, ${keyStatus} as status, quantity`,
        sql`(select api_key_id, sum(quantity)::int as quantity from entry group by api_key_id) used
          join api_keys key on key.id = used.api_key_id order by key.id`,
      )} as by_api_key,
      ${list(
        sql`${epochMilliseconds(sql`day`)} as at, sum(quantity)::int as quantity`,
        sql`entry group by 1 order by 1`,
      )} as by_day,
      ${list(
        sql`id, job_id, service_family, plan_code, api_key_id, quantity, unit, ${epochMilliseconds(sql`created_at`)} as at`,
        sql`recent order by created_at desc, id desc`,
      )} as recent,
      ${list(
        sql`id, plan_code, ${epochMilliseconds(sql`period_start`)} as start, ${epochMilliseconds(sql`period_end`)} as "end",
          quantity, unit, reason, ${epochMilliseconds(sql`created_at`)} as at`,
        sql`adjusted order by created_at desc, id desc limit 20`,
      )} as adjustments`.execute(db);
  if (!rows[0]) throw new Error('Usage did not answer.');
  return rows[0];
}
