import { sql } from 'kysely';
import type { Db, Trx } from '../../db/pool.ts';
import type { CallerOf } from '../../http/request.ts';
import { Refusal } from '../../http/refusal.ts';
import type { JobKey } from '../../jobs/job-event.ts';
import { jobUuid } from '../../jobs/job.ts';

/** Operators may read the thread of any job, a worker that of a job under its live lease. */
export async function deskJobKey(db: Db | Trx, caller: CallerOf<'desk'>, id: string): Promise<JobKey> {
  const workerKeyId = caller.method === 'worker_key' ? caller.keyId : null;
  const { rows } = await sql<JobKey>`
    select account_id, id from jobs
    where id = ${jobUuid(id)} and (${workerKeyId}::uuid is null
      or (worker_key_id = ${workerKeyId}::uuid and lease_expires_at > clock_timestamp()))`.execute(db);
  if (!rows[0]) throw new Refusal('job_not_found');
  return rows[0];
}
