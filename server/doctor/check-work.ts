import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { hasParked } from '../desk/desk-job.ts';
import { counted, fail, type Finding, ok, warn } from './finding.ts';

/** More need not be counted. */
const most = 1_000;

async function count(db: Db, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select ${from} limit ${most}) chosen`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function checkParkedJobs(db: Db): Promise<Finding> {
  const parked = await count(db, sql`from jobs j where ${hasParked}`);
  if (parked === 0) return ok('No job is parked.');
  return warn(
    `${counted(parked, 'job')} ${parked === 1 ? 'is' : 'are'} parked: no worker gets them any more.`,
    'Look why workers gave them up, and take or put them back at /desk.',
  );
}

export async function checkMails(db: Db): Promise<Finding[]> {
  const overdue = await count(db, sql`from mails where due_at < now() - interval '5 minutes'`);
  const failed = await count(db, sql`from mails where attempts >= 3 and due_at >= now() - interval '5 minutes'`);
  const findings: Finding[] = [];
  if (overdue > 0)
    findings.push(
      fail(
        `${counted(overdue, 'mail')} should have been sent more than 5 minutes ago.`,
        'Start the service, or restart it if it runs.',
      ),
    );
  if (failed > 0)
    findings.push(
      warn(
        `${counted(failed, 'mail')} could not be sent in three attempts or more.`,
        'Look for "mail" in the log of the service, and run doctor with --mail-to an address of yours.',
      ),
    );
  return findings.length > 0 ? findings : [ok('No mail waits longer than it should.')];
}

export async function checkEndpoints(db: Db): Promise<Finding> {
  const failing = await count(
    db,
    sql`from webhook_endpoints where disabled_reason is null and failing_since is not null`,
  );
  const disabled = await count(db, sql`from webhook_endpoints where disabled_reason in ('failing', 'gone')`);
  if (failing + disabled === 0) return ok('All webhook endpoints of customers answer.');
  return warn(
    `${counted(failing, 'webhook endpoint')} of customers fail now, and ${disabled} are disabled for it.`,
    'Their owners were mailed after a day. If all fail, look whether the service reaches other hosts.',
  );
}

/** One that waits for an earlier event of its job is not late. */
export async function checkDeliveries(db: Db): Promise<Finding> {
  const late = await count(
    db,
    sql`from webhook_deliveries d
      join webhook_endpoints e on e.account_id = d.account_id and e.id = d.endpoint_id and e.disabled_reason is null
      where d.done_at is null and d.due_at < now() - interval '5 minutes'
        and (d.once or d.job_id is null or not exists (
          select from webhook_deliveries b
          where b.account_id = d.account_id and b.endpoint_id = d.endpoint_id and b.job_id = d.job_id
            and b.seq < d.seq and b.done_at is null))`,
  );
  if (late === 0) return ok('No webhook delivery waits longer than it should.');
  return fail(
    `${counted(late, 'webhook delivery')} should have been sent more than 5 minutes ago.`.replace(
      'deliverys',
      'deliveries',
    ),
    'Start the service, or restart it if it runs; then look for "webhook" in its log.',
  );
}
