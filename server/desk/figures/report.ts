import { sql } from 'kysely';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { readReport } from '../../../contract/desk/reports.ts';

type Measures = AnswerOf<typeof readReport>['body']['report']['total'];
/** `turnaround` has the two percentiles. */
export type MeasuredRow = Omit<Measures, 'on_time_share' | 'turnaround_p50_seconds' | 'turnaround_p90_seconds'> & {
  on_time_deliveries: number;
  turnaround: [p50: number | null, p90: number | null] | null;
};

/** For statements that select from `job_outcomes o`. */
export const measures = sql`
  count(*)::int as jobs,
  count(*) filter (where o.status = 'completed')::int as completed,
  count(*) filter (where o.status = 'rejected')::int as rejected,
  count(*) filter (where o.status = 'canceled')::int as canceled,
  coalesce(sum(o.due_deliveries), 0)::int as due_deliveries,
  coalesce(sum(o.on_time_deliveries), 0)::int as on_time_deliveries,
  percentile_disc(array[0.5, 0.9]) within group (order by o.turnaround_seconds) as turnaround,
  coalesce(sum(o.revision_rounds), 0)::int as revision_rounds`;

export const showMeasures = ({ on_time_deliveries, turnaround, ...row }: MeasuredRow): Measures => ({
  jobs: row.jobs,
  completed: row.completed,
  rejected: row.rejected,
  canceled: row.canceled,
  due_deliveries: row.due_deliveries,
  on_time_share: row.due_deliveries === 0 ? null : on_time_deliveries / row.due_deliveries,
  turnaround_p50_seconds: turnaround?.[0] ?? null,
  turnaround_p90_seconds: turnaround?.[1] ?? null,
  revision_rounds: row.revision_rounds,
});
