import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readFigures as endpoint } from '../../contract/figures.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { refuseUnknownFamily } from '../catalog/refuse-unknown-family.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { type Period, readPeriod } from './period.ts';

type Measures = AnswerOf<typeof endpoint>['body']['figures']['total'];
/** `day` and `service_family` are null in rows that sum over them. */
type Row = Measures & { day: string | null; service_family: string | null };

/** Figures per day and family. Each event counts on its own day. */
export async function readFigures(
  { db, catalog }: { db: Db; catalog: Catalog },
  { query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  refuseUnknownFamily(catalog, query.service_family);
  const { start, end } = await readPeriod(db, query);
  const rows = await measure(db, { start, end }, query.service_family ?? null);
  const [total] = rows.filter(({ day, service_family }) => day === null && service_family === null);
  if (!total) throw new Error('Totals always return a row.');
  return {
    status: 200,
    body: {
      figures: {
        period: { start: start.toISOString(), end: end.toISOString() },
        total: measures(total),
        days: rows.flatMap((row) => (row.day === null ? [] : [{ day: row.day, ...measures(row) }])),
        families: rows.flatMap((row) =>
          row.service_family === null ? [] : [{ service_family: row.service_family, ...measures(row) }],
        ),
      },
    },
  };
}

const measures = ({ created, delivered, on_time, revised, median_hours_to_delivery }: Row): Measures => ({
  created,
  delivered,
  on_time,
  revised,
  median_hours_to_delivery,
});

/** A first delivery is the release of a submission of round 0: a revision comes after it. */
async function measure(db: Db, { start, end }: Period, family: string | null): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with created as (
      select created_at as at, service_family from jobs where created_at >= ${start} and created_at < ${end}
    ),
    delivered as (
      select s.released_at as at, j.service_family, s.released_at <= s.due_at as on_time,
        extract(epoch from s.released_at - j.created_at)::float / 3600 as hours
      from job_submissions s join jobs j on j.account_id = s.account_id and j.id = s.job_id
      where s.round = 0 and s.released_at >= ${start} and s.released_at < ${end}
    ),
    revised as (
      select v.created_at as at, j.service_family from events v join jobs j on j.account_id = v.account_id and j.id = v.job_id
      where v.type = 'job.revision_requested' and v.created_at >= ${start} and v.created_at < ${end}
    ),
    happened as (
      select at, service_family, 'created' as what, null::boolean as on_time, null::float as hours from created
      union all select at, service_family, 'delivered', on_time, hours from delivered
      union all select at, service_family, 'revised', null, null from revised
    ),
    happened_then as (
      select (at at time zone 'UTC')::date as day, service_family, what, on_time, hours from happened
      where ${family}::text is null or service_family = ${family}
    ),
    -- Counted per day and family first, so that only the hours are sorted for each sum.
    counted as (
      select day, service_family,
        count(*) filter (where what = 'created') as created,
        count(*) filter (where what = 'delivered') as delivered,
        count(*) filter (where on_time) as on_time,
        count(*) filter (where what = 'revised') as revised
      from happened_then group by day, service_family
      union all
      -- Each day of the range counts for itself, also one on which nothing happened.
      select d::date, null, 0, 0, 0, 0
      from generate_series(date_trunc('day', ${start}::timestamptz at time zone 'UTC'),
        (${end}::timestamptz at time zone 'UTC') - interval '1 ms', interval '1 day') d
    ),
    summed as (
      select day, service_family, grouping(day) as days, grouping(service_family) as families,
        sum(created)::int as created, sum(delivered)::int as delivered,
        sum(on_time)::int as on_time, sum(revised)::int as revised
      from counted group by grouping sets ((), (day), (service_family))
    ),
    medians as (
      select day, service_family, grouping(day) as days, grouping(service_family) as families,
        round((percentile_cont(0.5) within group (order by hours))::numeric, 2)::float as hours
      from happened_then where hours is not null group by grouping sets ((), (day), (service_family))
    )
    select to_char(s.day, 'YYYY-MM-DD') as day, s.service_family, s.created, s.delivered, s.on_time, s.revised,
      m.hours as median_hours_to_delivery
    from summed s left join medians m on m.days = s.days and m.families = s.families
      and m.day is not distinct from s.day and m.service_family is not distinct from s.service_family
    where s.families = 1 or s.service_family is not null
    order by s.days, s.day, s.service_family`.execute(db);
  return rows;
}
