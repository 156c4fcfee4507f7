import { sql } from 'kysely';
import type { readFigures as endpoint } from '../../../contract/desk/figures.ts';
import { type Catalog, refuseUnknownFamily } from '../../catalog/catalog.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import type { Db } from '../../db/pool.ts';
import { happenedInRange } from './happened.ts';
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
  const [first] = rows;
  if (!first) throw new Error('Totals always return a row.');
  const { day: _day, service_family: _family, ...total } = first;
  return {
    status: 200,
    body: {
      figures: {
        period: { start: start.toISOString(), end: end.toISOString() },
        total,
        days: rows.flatMap(({ day, service_family: _all, ...sums }) => (day === null ? [] : [{ day, ...sums }])),
        families: rows.flatMap(({ day: _all, service_family, ...sums }) =>
          service_family === null ? [] : [{ service_family, ...sums }],
        ),
      },
    },
  };
}

/** Stored days are read, and the time before and after them is counted. */
async function measure(db: Db, { start, end }: Period, family: string | null): Promise<Row[]> {
  const ofFamily = sql`(${family}::text is null or f.service_family = ${family})`;
  const { rows } = await sql<Row>`
    with whole as (
      select greatest(((${start}::timestamptz at time zone 'UTC') + interval '1 day' - interval '1 microsecond')::date, min(day)) as first,
        least((${end}::timestamptz at time zone 'UTC')::date, max(day) + 1) as until
      from stored_days having count(*) > 0
    ),
    ranges as (
      select ${start}::timestamptz as first, coalesce((
        select first::timestamp at time zone 'UTC' from whole where first < until), ${end}::timestamptz) as until
      union all
      select until::timestamp at time zone 'UTC', ${end}::timestamptz from whole where first < until
    ),
    figures as (
      select f.* from day_figures f, whole where f.day >= whole.first and f.day < whole.until and ${ofFamily}
      union all
      select f.* from ranges r, lateral (${happenedInRange}) f where ${ofFamily}
    ),
    counted as (
      select day, service_family, created, delivered, on_time, revised from figures
      union all
      -- Each day of the range counts for itself, also one on which nothing happened.
      select d::date, null, 0, 0, 0, 0
      from generate_series(date_trunc('day', ${start}::timestamptz at time zone 'UTC'),
        (${end}::timestamptz at time zone 'UTC') - interval '1 ms', interval '1 day') d
    ),
    summed as (
      select day, service_family, grouping(day, service_family) as level, sum(created)::int as created,
        sum(delivered)::int as delivered, sum(on_time)::int as on_time, sum(revised)::int as revised
      from counted group by grouping sets ((), (day), (service_family))
      having grouping(service_family) = 1 or service_family is not null
    ),
    -- Only the hours are sorted for each sum.
    medians as (
      select day, service_family, grouping(day, service_family) as level,
        round((percentile_cont(0.5) within group (order by hours))::numeric, 2)::float as hours
      from (select day, service_family, unnest(hours) as hours from figures) delivered
      group by grouping sets ((), (day), (service_family))
    )
    select to_char(s.day, 'YYYY-MM-DD') as day, s.service_family, s.created, s.delivered, s.on_time, s.revised,
      m.hours as median_hours_to_delivery
    from summed s left join medians m on m.level = s.level
      and m.day is not distinct from s.day and m.service_family is not distinct from s.service_family
    order by s.level desc, s.day, s.service_family`.execute(db);
  return rows;
}
