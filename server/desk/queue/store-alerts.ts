import { sql } from 'kysely';
import { announce, type Db, transact } from '../../db/pool.ts';
import { notify } from '../../notifications/notify.ts';
import { findAlerts, isNew } from './read-alerts.ts';

/** What a stopped task can make up for, and how far back a job that becomes free brings its alerts. */
const hours = 6;

const most = 500;

/** Tells each operator of the alerts about their jobs, and their desk that it has something new to show. */
export async function storeAlerts(db: Db, stopped: AbortSignal, minutes = hours * 60): Promise<void> {
  const since = sql<Date>`now() - make_interval(mins => ${minutes}::int)`;
  const alerts = await findAlerts(db, since, sql`u.operator`, most, isNew);
  for (const { user_id, kind, cause, account_id, job_id, customer_title } of alerts) {
    if (stopped.aborted) return;
    await transact(db, async (trx) => {
      await notify(trx, [user_id], { kind, cause, accountId: account_id, jobId: job_id, about: customer_title });
      announce(trx, account_id);
    });
  }
}
