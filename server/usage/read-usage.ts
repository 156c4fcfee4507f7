import { type RawBuilder, sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readUsage as endpoint } from '../../contract/usage.ts';
import { usable } from '../entitlements/entitlement.ts';
import type { Context } from '../context.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { epochMilliseconds, isoTime } from '../db/time.ts';
import { readId, showId } from '../lib/id.ts';
import { badRequest, Refusal } from '../http/refusal.ts';

type Sum = { key: string; quantity: number };
type Plan = Sum & { quota: number; remaining: number };
type Entry = {
  id: string;
  job_id: string;
  service_family: string;
  entitlement_code: string;
  api_key_id: string | null;
  quantity: number;
  unit: string;
  at: number;
};
type Row = {
  start: Date;
  end: Date;
  by_entitlement: Plan[];
  by_service_family: Sum[];
  by_api_key: (Sum & { name: string })[];
  by_day: { at: number; quantity: number }[];
  recent: Entry[];
};

const day = 86_400_000;

/** What the account used and what remains, from the ledger and the locked counters. */
export async function readUsage(
  { db, graceHours }: Pick<Context, 'db' | 'graceHours'>,
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { period_start, period_end } = query;
  if (period_start && period_end && Date.parse(period_start) > Date.parse(period_end))
    throw badRequest('period_start', 'must not be later than period_end');
  const jobId = query.job_id === undefined ? null : await authorizedJob(db, caller.accountId, query.job_id);
  const row = await sum(db, caller.accountId, graceHours, selection(jobId, period_start, period_end));
  const total = (field: 'quantity' | 'quota' | 'remaining') =>
    row.by_entitlement.reduce((all, one) => all + one[field], 0);
  const usage = {
    period: { start: isoTime(row.start), end: isoTime(row.end) },
    totals: { quantity: total('quantity'), quota: total('quota'), remaining: total('remaining'), unit: 'job' },
    summaries: {
      by_entitlement: row.by_entitlement,
      by_service_family: row.by_service_family,
      by_api_key: row.by_api_key.map(({ key, ...sum }) => ({ api_key_id: showId('key', key), ...sum })),
    },
    buckets: row.by_day.map(({ at, quantity }) => ({ start: isoTime(at), end: isoTime(at + day), quantity })),
    recent_events: row.recent.map(({ id, job_id, api_key_id, at, ...entry }) => ({
      id: showId('evt', id),
      type: entry.quantity > 0 ? ('job.created' as const) : ('job.released' as const),
      job_id: showId('job', job_id),
      ...entry,
      api_key_id: api_key_id && showId('key', api_key_id),
      occurred_at: isoTime(at),
    })),
  };
  return { status: 200, body: { usage } };
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

/** Which ledger rows count: those of a range where one is given, else those of the current period of each active plan. */
function selection(jobId: string | null, start: string | undefined, end: string | undefined) {
  const ofJob = jobId === null ? sql`true` : sql`l.job_id = ${jobId}`;
  const inRange = sql`l.occurred_at >= ${start ?? '-infinity'} and l.occurred_at < ${end ?? 'infinity'}`;
  const ranged = start !== undefined || end !== undefined;
  const current = sql`exists (select from plan where plan.id = l.entitlement_id and plan.period_start = l.period_start)`;
  return { counted: sql`${ofJob} and ${ranged ? inRange : current}`, recent: sql`${ofJob} and ${inRange}` };
}

const list = (columns: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
  sql`coalesce((select json_agg(x) from (select ${columns} from ${from}) x), '[]')`;

async function sum(
  db: Db,
  accountId: string,
  graceHours: number,
  { counted, recent }: ReturnType<typeof selection>,
): Promise<Row> {
  const { rows } = await sql<Row>`
    with plan as (
      select e.id, e.code, e.quota, greatest(e.quota - p.used, 0) as remaining, p.period_start, p.period_end
      from entitlements e join entitlement_periods p on p.account_id = e.account_id and p.entitlement_id = e.id
      where e.account_id = ${accountId} and ${usable(graceHours)}
    ),
    entry as (select l.* from usage_ledger l where l.account_id = ${accountId} and ${counted}),
    code as (
      select code, sum(quota)::int as quota, sum(remaining)::int as remaining from plan group by code
      union all
      select distinct entitlement_code, 0, 0 from entry where entitlement_code not in (select code from plan)
    ),
    recent as (
      select l.* from usage_ledger l where l.account_id = ${accountId} and ${recent}
      order by l.occurred_at desc, l.id desc limit 20
    )
    select
      coalesce((select period_start from plan order by period_end, id limit 1),
        date_trunc('month', now(), 'UTC')) as start,
      coalesce((select period_end from plan order by period_end, id limit 1),
        date_trunc('month', now(), 'UTC') + interval '1 month') as end,
      ${list(
        sql`code as key, quota, remaining,
          coalesce((select sum(quantity) from entry where entitlement_code = code), 0)::int as quantity`,
        sql`code order by code`,
      )} as by_entitlement,
      ${list(sql`service_family as key, sum(quantity)::int as quantity`, sql`entry group by 1 order by 1`)} as by_service_family,
      ${list(
        sql`k.id as key, k.name, sum(quantity)::int as quantity`,
        sql`entry join api_keys k on k.id = api_key_id group by k.id, k.name order by k.id`,
      )} as by_api_key,
      ${list(
        sql`${epochMilliseconds(sql`date_trunc('day', occurred_at, 'UTC')`)} as at, sum(quantity)::int as quantity`,
        sql`entry group by 1 order by 1`,
      )} as by_day,
      ${list(
        sql`id, job_id, service_family, entitlement_code, api_key_id, quantity, unit, ${epochMilliseconds(sql`occurred_at`)} as at`,
        sql`recent order by occurred_at desc, id desc`,
      )} as recent`.execute(db);
  if (!rows[0]) throw new Error('Usage did not answer.');
  return rows[0];
}
