import { type RawBuilder, sql } from 'kysely';
import type { listQueue as endpoint } from '../../../contract/desk/queue.ts';
import { type Catalog, refuseUnknownFamily } from '../../catalog/catalog.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { type JobRow, type ListedJob, listedColumns, showJobListItem } from '../../jobs/job.ts';
import { readId, showId } from '../../lib/id.ts';
import { cutPage, readCursor } from '../../db/cursor.ts';
import { duePosition, isOverdue, isParked, showHolder } from './desk-job.ts';
import { readQueueFilter, timeZoneOf } from './queue-filter.ts';
import { setAsideOf, type SetAsideRow, showSetAside } from './set-aside.ts';
import { matchesEach, matchesSearch, readWords } from './search-queue.ts';
import { showStanding, type StandingRow, standingOf } from '../../entitlements/standing.ts';
import type { Db } from '../../db/pool.ts';
import type { Signer } from '../../lib/signer.ts';

type Row = ListedJob &
  Pick<JobRow, 'operator_id' | 'worker_key_id' | 'held_since' | 'lease_expires_at' | 'lease_expiries'> & {
    account_name: string;
    standing: StandingRow | null;
    holder_name: string | null;
    overdue: boolean;
    set_aside: SetAsideRow | null;
    position: Date;
  };

const orders = {
  oldest: { by: sql`j.created_at`, direction: sql`asc`, beyond: sql`>` },
  newest: { by: sql`j.created_at`, direction: sql`desc`, beyond: sql`<` },
  due: { by: duePosition, direction: sql`asc`, beyond: sql`>` },
} as const;

/** An unknown account or holder gives an empty list. */
export async function listQueue(
  { db, catalog, graceHours, signer }: { db: Db; catalog: Catalog; graceHours: number; signer: Signer },
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  refuseUnknownFamily(catalog, query.service_family);
  const { cursor, limit = 25, sort = 'oldest', id, q = '', ...filter } = query;
  const terms = { graceHours, timeZone: timeZoneOf(catalog), me: caller.userId };
  // `me` differs per operator.
  const entries = Object.entries({ ...filter, status: filter.status?.toSorted() }).toSorted();
  const scope = ['listQueue', terms, sort, id?.toSorted(), q, entries];
  const from = readCursor(signer, scope, cursor);
  const { by, direction, beyond } = orders[sort];
  const jobId = readId('job', q.trim());
  const words = jobId === null && q.trim() !== '' ? await readWords(db, q) : null;

  const conditions = [
    ...readQueueFilter(filter, terms),
    ...(id === undefined ? [] : [sql`j.id = any(${id.map((jobId) => readId('job', jobId))}::uuid[])`]),
    ...(jobId === null ? [] : [sql`j.id = ${jobId}`]),
    ...(from === null ? [] : [sql`(${by}, j.id) ${beyond} (${from.at}, ${from.id}::uuid)`]),
  ];

  const order = sql`order by ${by} ${direction}, j.id ${direction}`;
  const cut = (source: RawBuilder<unknown>, matching: RawBuilder<unknown>[], count: number) =>
    sql`(select j.* from ${source} j where ${matching.length === 0 ? sql`true` : sql.join(matching, sql` and `)}
      ${order} limit ${count})`;
  const read = (cutJobs: RawBuilder<unknown>) => readJobs(db, graceHours, { by, order, cutJobs });
  // A common word fills a page from the first jobs, where a search would collect every match.
  const first = cut(sql`jobs`, conditions, triedFirst);
  let rows = words === null ? [] : await read(cut(first, [matchesEach(words)], limit + 1));
  if (rows.length <= limit) {
    const matching = words === null ? conditions : [...conditions, await matchesSearch(db, words)];
    rows = await read(cut(sql`jobs`, matching, limit + 1));
  }
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, (last) => ({ at: last.position, id: last.id }));
  const jobs = page.map((row) => ({
    ...showJobListItem(row),
    account: { id: showId('acct', row.account_id), name: row.account_name, standing: showStanding(row.standing) },
    holder: showHolder(row),
    parked: isParked(row),
    overdue: row.overdue,
    set_aside: showSetAside(row.set_aside),
  }));
  return { status: 200, body: { jobs, next_cursor } };
}

/** This many jobs of a list are tested one by one before a search. */
const triedFirst = 1_000;

type Parts = Record<'by' | 'order' | 'cutJobs', RawBuilder<unknown>>;

/** Names and standings are looked up for the jobs of the page only. */
async function readJobs(db: Db, graceHours: number, { by, order, cutJobs }: Parts): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${listedColumns(graceHours)}, j.operator_id, j.worker_key_id, j.held_since, j.lease_expires_at,
      j.lease_expiries, account.name as account_name, account.standing,
      coalesce((select u.name from people u where u.id = j.operator_id),
        (select k.name from worker_keys k where k.id = j.worker_key_id)) as holder_name, ${isOverdue} as overdue,
      ${setAsideOf()} as set_aside, ${by} as position
    from ${cutJobs} j left join lateral (
      select a.name, ${standingOf(graceHours)} as standing from accounts a where a.id = j.account_id) account on true
    ${order}`.execute(db);
  return rows;
}
