import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import { isInTurn } from '../webhooks/claim-deliveries.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

/** More need not be counted. */
const most = 1_000;
/** Endpoints that are named. */
const mostEndpoints = 5;

const isLate = sql`d.done_at is null and d.due_at < now() - interval '5 minutes' and (d.once or ${isInTurn})`;
/** The service sends to it, but it fails or is slow: whatever waits there is its own delay. */
const isSentTo = sql`(e.failing_since is not null or coalesce(e.last_success_at > now() - interval '5 minutes', false))`;

/** Nobody sends if deliveries are late to an endpoint that does not fail and got none of late. */
export async function checkDeliveries(db: Db): Promise<Finding[]> {
  const unsent = await countUnsent(db);
  const findings = [
    ...(unsent === 0
      ? []
      : [
          fail(
            `${deliveries(unsent)} should have been sent more than 5 minutes ago.`,
            'Start the service, or restart it if it runs; then look for "webhook" in its log.',
          ),
        ]),
    ...(await listBehind(db)).map(findingOf),
  ];
  return findings.length > 0 ? findings : [ok('No webhook delivery waits longer than it should.')];
}

const deliveries = (count: number) =>
  `${count.toLocaleString('en')} webhook ${count === 1 ? 'delivery' : 'deliveries'}`;

async function countUnsent(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from webhook_deliveries d
      join webhook_endpoints e on e.account_id = d.account_id and e.id = d.endpoint_id
        and e.disabled_reason is null and not ${isSentTo}
      where ${isLate} limit ${most}) late`.execute(db);
  return rows[0]?.count ?? 0;
}

type Behind = { account_id: string; id: string; failing_since: Date | null; late: number };

async function listBehind(db: Db): Promise<Behind[]> {
  const { rows } = await sql<Behind>`
    select e.account_id, e.id, e.failing_since, l.late
    from webhook_endpoints e cross join lateral (
      select count(*)::int as late from (
        select from webhook_deliveries d
        where d.account_id = e.account_id and d.endpoint_id = e.id and ${isLate} limit ${most}) chosen) l
    where e.disabled_reason is null and ${isSentTo} and l.late > 0
    order by l.late desc, e.failing_since limit ${mostEndpoints}`.execute(db);
  return rows;
}

function findingOf({ account_id, id, failing_since, late }: Behind): Finding {
  const endpoint = `endpoint ${showId('hook', id)} of ${showId('acct', account_id)}`;
  const why = failing_since ? `has failed since ${failing_since.toISOString()}` : 'answers slower than they come';
  return warn(
    `${deliveries(late)} ${late === 1 ? 'is late: its' : 'are late: their'} ${endpoint} ${why}.`,
    failing_since
      ? 'Its owners are mailed after a day; write to them sooner if it matters.'
      : 'Ask its owners to answer at once and do the work afterwards.',
  );
}
