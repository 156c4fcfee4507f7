import { sql } from 'kysely';
import type { readReport as endpoint } from '../../../contract/desk/reports.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { readPeriod } from './period.ts';
import { measures, type Measures, notedOn } from './report.ts';

export async function readReport(
  { db }: { db: Db },
  { query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const bounds = await readPeriod(db, query);
  const { start, end } = bounds;
  const ended = sql`
    from job_outcomes o where o.ended_at >= ${start} and o.ended_at < ${end} and o.imported_at is null`;
  const { rows } = await sql<Measures>`
    select ${measures}, (select coalesce(sum(t.minutes), 0)::int from ${notedOn(bounds)}) as noted_minutes
    ${ended}`.execute(db);
  const [total] = rows;
  if (!total) throw new Error('Totals always return a row.');
  const { rows: rejections } = await sql<{ code: string; jobs: number }>`
    select o.reason_code as code, count(*)::int as jobs ${ended} and o.reason_code is not null
    group by o.reason_code order by jobs desc, code`.execute(db);
  const period = { start: start.toISOString(), end: end.toISOString() };
  return { status: 200, body: { report: { period, total, rejections } } };
}
