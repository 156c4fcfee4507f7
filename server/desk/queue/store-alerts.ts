import { type Db, databaseTime } from '../../db/pool.ts';
import { transact } from '../../db/transact.ts';
import { findAlerts } from './read-alerts.ts';
import { notify } from '../../notifications/notify.ts';

/** Hours that a stopped task can make up for. */
const looksBack = 6;

/** Tells each operator of the alerts about their jobs, except of jobs that they have muted. */
export async function storeAlerts(db: Db, stopped: AbortSignal): Promise<void> {
  const operators = await db.selectFrom('people').select('id').where('operator', '=', true).orderBy('id').execute();
  const since = new Date((await databaseTime(db)).getTime() - looksBack * 3_600_000).toISOString();
  for (const { id } of operators) {
    if (stopped.aborted) return;
    await storeFor(db, id, since);
  }
}

async function storeFor(db: Db, userId: string, since: string): Promise<void> {
  for (const { kind, cause, account_id, job_id, customer_title } of await findAlerts(db, userId, since, true))
    await transact(db, (trx) =>
      notify(trx, [userId], { kind, cause, accountId: account_id, jobId: job_id, about: customer_title }),
    );
}
