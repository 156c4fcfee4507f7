import { setTimeout as wait } from 'node:timers/promises';
import type { AnswerOf, StreamEntry } from '../../contract/endpoint.ts';
import type { streamEvents as endpoint } from '../../contract/events.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/pool.ts';
import { type EventRow, isReadable, logBounds, type ReadLog, showAccountEvent } from '../events/event.ts';
import type { Hub } from '../events/hub.ts';
import type { Caller } from '../http/caller.ts';
import { asRefusal } from '../http/failure.ts';
import { badRequest } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';

type Start = { after: number; latest: number; resync: boolean };

/** Milliseconds after which a browser connects again. */
const retry = 2_000;

/** Milliseconds until a database that did not answer is asked again. */
const tryAgainAfter = 1_000;

/** The log of the account as it grows: what was missed first, then each event as soon as it is committed. */
export async function streamEvents(
  { db, hub, readLog }: Pick<Context, 'db' | 'hub' | 'readLog'>,
  { caller, query, headers }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const start = await findStart(db, caller.accountId, readLastEventId(headers['last-event-id']) ?? query.after);
  return { status: 200, body: (ended) => follow(hub, readLog, caller, start, ended) };
}

function readLastEventId(given: string | string[] | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'string' && /^(0|[1-9]\d{0,14})$/.test(given)) return Number(given);
  throw badRequest('Last-Event-ID', 'must be the seq of an event');
}

/** From now on without a cursor, and where it is no place in the log. */
async function findStart(db: Db, accountId: string, after: number | undefined): Promise<Start> {
  const bounds = await logBounds(db, accountId);
  const { latest } = bounds;
  if (after === undefined) return { after: latest, latest, resync: false };
  return isReadable(after, bounds) ? { after, latest, resync: false } : { after: latest, latest, resync: true };
}

/** `open` and `resync` carry no id: it would move the cursor of the browser. */
async function* follow(
  hub: Hub,
  readLog: ReadLog,
  caller: Caller,
  { after, latest, resync }: Start,
  ended: AbortSignal,
): AsyncGenerator<StreamEntry> {
  const watch = hub.watch(caller.accountId, ended);
  yield { event: 'open', retry, data: { latest } };
  if (resync) yield { event: 'resync', data: { latest } };
  for (let cursor = after; !ended.aborted;) {
    const rows = await readPatiently(readLog, { accountId: caller.accountId, after: cursor }, ended);
    for (const row of rows) {
      yield { id: row.seq, data: showAccountEvent(row) };
      cursor = Number(row.seq);
      if (row.type === 'api_key.revoked' && isOwnKey(caller, row.data?.api_key_id)) return;
    }
    if (rows.length === 0) await watch.next();
  }
}

/** A database that is away ends no stream: thousands of readers would all come back at once, and find nothing. */
export async function readPatiently(
  readLog: ReadLog,
  from: Parameters<ReadLog>[0],
  ended: AbortSignal,
): Promise<EventRow[]> {
  for (;;) {
    try {
      return await readLog(from);
    } catch (error) {
      if (asRefusal(error)?.code !== 'service_unavailable') throw error;
      await wait(tryAgainAfter, undefined, { signal: ended }).catch(() => {});
      if (ended.aborted) return [];
    }
  }
}

const isOwnKey = (caller: Caller, id: string | undefined) =>
  caller.method === 'api_key' && showId('key', caller.keyId) === id;
