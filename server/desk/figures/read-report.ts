import { sql } from 'kysely';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { readReport as endpoint } from '../../../contract/desk/reports.ts';
import type { Db } from '../../db/pool.ts';
import type { Request } from '../../http/request.ts';
import { type Period, readPeriod } from './period.ts';
import { type MeasuredRow, measures, showMeasures } from './report.ts';

export async function readReport(
  { db }: { db: Db },
  { query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { start, end } = await readPeriod(db, query);
  const period = { start: start.toISOString(), end: end.toISOString() };
  const total = showMeasures(await measureAll(db, { start, end }));
  return { status: 200, body: { report: { period, total, rejections: await countReasons(db, { start, end }) } } };
}

async function measureAll(db: Db, { start, end }: Period): Promise<MeasuredRow> {
  const { rows } = await sql<MeasuredRow>`
    select ${measures} from job_outcomes o where o.ended_at >= ${start} and o.ended_at < ${end}`.execute(db);
  if (!rows[0]) throw new Error('Totals always return a row.');
  return rows[0];
}

async function countReasons(db: Db, { start, end }: Period) {
  const { rows } = await sql<{ code: string; jobs: number }>`
    select o.reason_code as code, count(*)::int as jobs from job_outcomes o
    where o.ended_at >= ${start} and o.ended_at < ${end} and o.reason_code is not null
    group by o.reason_code order by jobs desc, code`.execute(db);
  return rows;
}
