import { sql } from 'kysely';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { type Contradiction, findContradictions } from './contradiction.ts';
import { logChecks } from './log-checks.ts';
import { paymentChecks } from './payment-checks.ts';
import { referenceChecks } from './reference-checks.ts';
import { checkStoredAnswers } from './stored-answers.ts';
import { rightsCheck } from './rights-check.ts';
import { usageChecks } from './usage-checks.ts';
import { workChecks } from './work-checks.ts';

const counted = [
  ['accounts', 'accounts'],
  ['jobs', 'jobs'],
  ['ledger rows', 'usage_ledger'],
  ['quota adjustments', 'quota_adjustments'],
  ['periods', 'entitlement_periods'],
  ['daily totals', 'usage_totals'],
  ['events', 'events'],
  ['submissions', 'job_submissions'],
  ['payments', 'provider_payments'],
  ['files', 'files'],
  ['messages', 'job_messages'],
  ['comments', 'job_comments'],
  ['stored answers', 'idempotency_keys'],
  ['webhook deliveries', 'webhook_deliveries'],
  ['mails', 'mails'],
] as const;

export type Checked = { rows: Record<string, number>; contradictions: Contradiction[] };

/** Compares all numbers that are stored twice, in one snapshot, so that a running service changes nothing. */
export const checkDatabase = (db: Db): Promise<Checked> =>
  transact(db, async (trx) => {
    await beginSnapshot(trx);
    const contradictions: Contradiction[] = [];
    for (const check of [
      ...usageChecks,
      ...logChecks,
      ...workChecks,
      ...referenceChecks,
      ...paymentChecks,
      rightsCheck,
    ])
      contradictions.push(...(await findContradictions(trx, check)));
    contradictions.push(...(await checkStoredAnswers(trx)));
    return { rows: await countRows(trx), contradictions };
  });

/** Each statement reads whole tables once. The planning of the service is for single rows. */
async function beginSnapshot(trx: Trx): Promise<void> {
  await sql`set transaction isolation level repeatable read, read only`.execute(trx);
  await sql`
    select set_config(name, value, true) from (values ('statement_timeout', '10min'), ('enable_seqscan', 'on'),
      ('enable_mergejoin', 'on'), ('plan_cache_mode', 'force_custom_plan'), ('jit', 'off'),
      ('max_parallel_workers_per_gather', '0'), ('work_mem', '64MB')) as settings (name, value)`.execute(trx);
}

export async function countRows(trx: Db): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const [name, table] of counted) {
    const { rows: counts } = await sql<{
      count: number;
    }>`select count(*)::int as count from ${sql.table(table)}`.execute(trx);
    rows[name] = counts[0]?.count ?? 0;
  }
  return rows;
}
