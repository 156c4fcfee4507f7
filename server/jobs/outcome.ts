import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import type { Cause } from '../http/cause.ts';
import type { JobRow } from './job.ts';

/**
 * For the reports. Who rejects a job without a delivery comes from the cause, because that event is written
 * later.
 */
export async function recordOutcome(trx: Trx, { account_id, id }: JobRow, cause: Cause): Promise<void> {
  await sql`
    insert into job_outcomes (account_id, job_id, ended_at, status, service_family, service_type, operator_id, worker_key_id,
      turnaround_seconds, due_deliveries, on_time_deliveries, revision_rounds, reason_code)
    select account_id, job_id, ended_at, status, service_family, service_type,
      case when status = 'rejected' and turnaround_seconds is null then ${cause.userId}::uuid else operator_id end,
      worker_key_id, turnaround_seconds, due_deliveries, on_time_deliveries, revision_rounds, reason_code
    from computed_job_outcomes where account_id = ${account_id} and job_id = ${id}`.execute(trx);
}
