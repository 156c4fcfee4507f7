import { sql } from 'kysely';
import { viewingSeconds } from '../../../contract/desk/queue.ts';
import type { Db, Trx } from '../../db/pool.ts';
import { showId } from '../../lib/id.ts';

export type ShownViewer = { job_id: string; operator_id: string; name: string };

/** Operators who have any job open, or this one. */
export async function findViewers(db: Db | Trx, jobId: string | null = null): Promise<ShownViewer[]> {
  const { rows } = await sql<{ job_id: string; user_id: string; name: string }>`
    select v.job_id, v.user_id, u.name
    from job_viewers v join people u on u.id = v.user_id and u.operator
    where v.seen_at > now() - make_interval(secs => ${viewingSeconds.last}) and (${jobId}::uuid is null or v.job_id = ${jobId})
    order by v.job_id, u.name, v.user_id limit 1000`.execute(db);
  return rows.map(({ job_id, user_id, name }) => ({
    job_id: showId('job', job_id),
    operator_id: showId('user', user_id),
    name,
  }));
}
