import { sql } from 'kysely';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { readFigures as endpoint } from '../../../contract/desk/figures.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { refuseUnknownFamily } from '../../catalog/refuse-unknown-family.ts';
import type { Request } from '../../http/request.ts';
import type { Db } from '../../db/pool.ts';
import { counts, happenedInRange } from './happened.ts';
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

/** Stored days are read, and the time before and after them is counted. */
async function measure(db: Db, { start, end }: Period, family: string | null): Promise<Row[]> {
  const ofFamily = sql`(${family}::text is null or service_family = ${family})`;
  const { rows } = await sql<Row>`
    with whole as (
      select greatest(((${start}::timestamptz at time zone 'UTC') + interval '1 day' - interval '1 microsecond')::date, min(day)) as first,
        least((${end}::timestamptz at time zone 'UTC')::date, max(day) + 1) as until
      from stored_days having count(*) > 0
    ),
    stored as (
      select f.* from day_figures f, whole where f.day >= whole.first and f.day < whole.until and ${ofFamily}
    ),
    ranges as (
      select ${start}::timestamptz as first, coalesce((
        select first::timestamp at time zone 'UTC' from whole where first < until), ${end}::timestamptz) as until
      union all
      select until::timestamp at time zone 'UTC', ${end}::timestamptz from whole where first < until
    ),
    happened as (
      select (at at time zone 'UTC')::date as day, service_family, what, on_time, hours
      from ranges r, lateral (${happenedInRange}) happened where ${ofFamily}
    ),
    -- Counted per day and family first, so that only the hours are sorted for each sum.
    counted as (
      select day, service_family, ${counts} from happened group by day, service_family
      union all
      select day, service_family, created, delivered, on_time, revised from stored
      union all
      -- Each day of the range counts for itself, also one on which nothing happened.
      select d::date, null, 0, 0, 0, 0
      from generate_series(date_trunc('day', ${start}::timestamptz at time zone 'UTC'),
        (${end}::timestamptz at time zone 'UTC') - interval '1 ms', interval '1 day') d
    ),
    delivered as (
      select day, service_family, hours from happened where hours is not null
      union all
      select day, service_family, unnest(hours) from stored
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
      from delivered group by grouping sets ((), (day), (service_family))
    )
    select to_char(s.day, 'YYYY-MM-DD') as day, s.service_family, s.created, s.delivered, s.on_time, s.revised,
      m.hours as median_hours_to_delivery
    from summed s left join medians m on m.days = s.days and m.families = s.families
      and m.day is not distinct from s.day and m.service_family is not distinct from s.service_family
    where s.families = 1 or s.service_family is not null
    order by s.days, s.day, s.service_family`.execute(db);
  return rows;
}
