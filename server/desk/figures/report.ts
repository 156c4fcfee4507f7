import { sql } from 'kysely';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { readReport } from '../../../contract/desk/reports.ts';
import type { Period } from './period.ts';

export type Measures = AnswerOf<typeof readReport>['body']['report']['total'];

/** What operators noted on the jobs that ended then: `t`, and their outcomes `o`. */
export const notedOn = ({ start, end }: Period) => sql`job_times t
  join job_outcomes o on o.account_id = t.account_id and o.job_id = t.job_id
  where o.ended_at >= ${start} and o.ended_at < ${end}`;

/** For statements that select from `job_outcomes o`. Both percentiles are of one sort. */
export const measures = sql`
  count(*)::int as jobs,
  count(*) filter (where o.status = 'completed')::int as completed,
  count(*) filter (where o.status = 'rejected')::int as rejected,
  count(*) filter (where o.status = 'canceled')::int as canceled,
  coalesce(sum(o.due_deliveries), 0)::int as due_deliveries,
  sum(o.on_time_deliveries)::float / nullif(sum(o.due_deliveries), 0) as on_time_share,
  percentile_disc(0.5) within group (order by o.turnaround_seconds) as turnaround_p50_seconds,
  percentile_disc(0.9) within group (order by o.turnaround_seconds) as turnaround_p90_seconds,
  coalesce(sum(o.revision_rounds), 0)::int as revision_rounds`;
