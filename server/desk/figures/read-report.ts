import { sql } from 'kysely';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { readReport as endpoint } from '../../../contract/desk/reports.ts';
import type { Db } from '../../db/pool.ts';
import type { Request } from '../../http/request.ts';
import { readPeriod } from './period.ts';
import { measures, type Measures } from './report.ts';

export async function readReport(
  { db }: { db: Db },
  { query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { start, end } = await readPeriod(db, query);
  const { rows } = await sql<Measures & { code: string | null }>`
    select o.reason_code as code, ${measures} from job_outcomes o
    where o.ended_at >= ${start} and o.ended_at < ${end}
    group by grouping sets ((), (o.reason_code)) having grouping(o.reason_code) = 1 or o.reason_code is not null
    order by grouping(o.reason_code) desc, jobs desc, code`.execute(db);
  const [first, ...reasons] = rows;
  if (!first) throw new Error('Totals always return a row.');
  const { code: _all, ...total } = first;
  const rejections = reasons.map(({ code, jobs }) => ({ code: code ?? '', jobs }));
  const period = { start: start.toISOString(), end: end.toISOString() };
  return { status: 200, body: { report: { period, total, rejections } } };
}
