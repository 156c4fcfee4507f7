import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { hasParked } from '../desk/queue/desk-job.ts';
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
