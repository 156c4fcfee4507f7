import { sql } from 'kysely';
import { type listEvents as endpoint, reviewerEventTypes } from '../../contract/jobs/events.ts';
import type { Db } from '../db/pool.ts';
import { type EventRow, eventColumns, isReadable, logBounds, showAccountEvent } from '../events/event.ts';
import { Refusal } from '../http/refusal.ts';
import { type AnswerOf, isReviewer, type Request } from '../http/request.ts';
import { ownedJobId } from '../jobs/job.ts';
import type { Hub } from '../events/hub.ts';

type Dependencies = { db: Db; hub: Hub };
type Query = { accountId: string; types: readonly string[] | null; jobId: string | null; limit: number };
type Page = { rows: EventRow[]; next: number; latest: number };

/** Rows that a filter by type reads in one statement; the next page reads on from there. */
const windowSize = 1_000;

export async function listEvents(
  context: Dependencies,
  { caller, query, ended }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId } = caller;
  const { after = 0, types: only = null, job_id, limit = 100, wait = 0 } = query;
  const types = isReviewer(caller) ? reviewerEventTypes.filter((type) => only?.includes(type) ?? true) : only;
  const jobId = job_id === undefined ? null : await ownedJobId(context.db, accountId, job_id);
  const { rows, next, latest } = await waitForPage(context, { accountId, types, jobId, limit }, after, wait, ended);
  return { status: 200, body: { events: rows.map(showAccountEvent), next_after: next, latest } };
}

/** Returns what there is when the time is over or the wait ends. */
async function waitForPage(
  { db, hub }: Dependencies,
  query: Query,
  after: number,
  seconds: number,
  ended: AbortSignal,
): Promise<Page> {
  if (seconds === 0) return readPage(db, query, after);
  const waited = new AbortController();
  const stop = () => waited.abort();
  const timer = setTimeout(stop, seconds * 1000);
  ended.addEventListener('abort', stop);
  try {
    const watch = hub.watch(query.accountId, waited.signal);
    let page = await readPage(db, query, after);
    while (page.rows.length === 0 && !waited.signal.aborted && !ended.aborted) {
      if (page.next === page.latest) await watch.next();
      page = await readPage(db, query, page.next);
    }
    return page;
  } finally {
    clearTimeout(timer);
    stop();
  }
}

async function readPage(db: Db, query: Query, after: number): Promise<Page> {
  const bounds = await logBounds(db, query.accountId);
  if (!isReadable(after, bounds)) throw new Refusal('cursor_expired');
  const { latest } = bounds;
  const { rows, seen } = await (query.jobId === null
    ? readWindow(db, query, after, latest)
    : readJob(db, query, after, latest));
  // A full page ends at its last row. Otherwise the filter has hidden everything up to the end of the window.
  return { rows, latest, next: rows.length === query.limit ? Number(rows.at(-1)?.seq) : Math.max(seen, after) };
}

async function readWindow(db: Db, { accountId, types, limit }: Query, after: number, latest: number) {
  const size = types === null ? limit : windowSize;
  const { rows } = await sql<EventRow>`
    select ${eventColumns(sql`${accountId}`)} from events v
    where v.account_id = ${accountId} and v.seq > ${after} and v.seq <= ${latest}
    order by v.seq limit ${size}`.execute(db);
  const seen = rows.length < size ? latest : Number(rows.at(-1)?.seq);
  return { rows: rows.filter(({ type }) => types === null || types.includes(type)).slice(0, limit), seen };
}

async function readJob(db: Db, { accountId, types, jobId, limit }: Query, after: number, latest: number) {
  const { rows } = await sql<EventRow>`
    select ${eventColumns(sql`${accountId}`)} from events v
    where v.account_id = ${accountId} and v.job_id = ${jobId} and v.seq > ${after} and v.seq <= ${latest}
      and (${types}::text[] is null or v.type = any(${types}::text[]))
    order by v.job_seq limit ${limit}`.execute(db);
  return { rows, seen: latest };
}
