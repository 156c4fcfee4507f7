import { setTimeout as wait } from 'node:timers/promises';
import type { AnswerOf, EntrySource, StreamControl, StreamEntry } from '../../contract/endpoint.ts';
import type { streamEvents as endpoint } from '../../contract/events.ts';
import type { Db } from '../db/pool.ts';
import { type EventRow, isReadable, logBounds, type ReadLog, showAccountEvent } from '../events/event.ts';
import type { Hub } from '../events/hub.ts';
import type { Caller } from '../http/caller.ts';
import { asRefusal } from '../http/failure.ts';
import { badRequest } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';

type Start = { after: number; latest: number; resync: boolean };

const retry = 2_000;

/** Milliseconds before a failed read of the database is repeated. */
const tryAgainAfter = 1_000;

export async function streamEvents(
  { db, hub, readLog }: { db: Db; hub: Hub; readLog: ReadLog },
  { caller, query, headers }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const start = await findStart(db, caller.accountId, readLastEventId(headers['last-event-id']) ?? query.after);
  return { status: 200, body: (stream) => new Follower(hub, readLog, caller, start, stream) };
}

function readLastEventId(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^(0|[1-9]\d{0,14})$/.test(header)) return Number(header);
  throw badRequest('Last-Event-ID', 'must be the seq of an event');
}

async function findStart(db: Db, accountId: string, after: number | undefined): Promise<Start> {
  const bounds = await logBounds(db, accountId);
  const { latest } = bounds;
  if (after === undefined) return { after: latest, latest, resync: false };
  return isReadable(after, bounds) ? { after, latest, resync: false } : { after: latest, latest, resync: true };
}

/** Thousands may be idle at once, so between reads a follower is only this object. */
class Follower implements EntrySource {
  readonly #hub: Hub;
  readonly #readLog: ReadLog;
  readonly #caller: Caller;
  readonly #stream: StreamControl;
  #cursor: number;
  #start: Start | null;
  #isClosed = false;

  constructor(hub: Hub, readLog: ReadLog, caller: Caller, start: Start, stream: StreamControl) {
    this.#hub = hub;
    this.#readLog = readLog;
    this.#caller = caller;
    this.#stream = stream;
    this.#cursor = start.after;
    this.#start = start;
    hub.add(caller.accountId, stream);
  }

  async *read(): AsyncGenerator<StreamEntry> {
    if (this.#start) yield* opening(this.#start);
    this.#start = null;
    for (let rows = await this.#next(); rows.length > 0; rows = await this.#next())
      for (const row of rows) {
        yield { id: row.seq, data: showAccountEvent(row) };
        this.#cursor = Number(row.seq);
        if (row.type === 'api_key.revoked' && isOwnKey(this.#caller, row.data?.api_key_id)) return this.#stream.end();
      }
  }

  #next(): Promise<EventRow[]> {
    const from = { accountId: this.#caller.accountId, after: this.#cursor };
    return readPatiently(this.#readLog, from, () => this.#isClosed);
  }

  close(): void {
    this.#isClosed = true;
    this.#hub.remove(this.#caller.accountId, this.#stream);
  }
}

/** Neither entry has an id, which would move the browser's cursor. */
function* opening({ latest, resync }: Start): Generator<StreamEntry> {
  yield { event: 'open', retry, data: { latest } };
  if (resync) yield { event: 'resync', data: { latest } };
}

/** A database outage ends no stream: thousands of readers would reconnect at once. */
export async function readPatiently(
  readLog: ReadLog,
  from: Parameters<ReadLog>[0],
  isEnded: () => boolean,
): Promise<EventRow[]> {
  for (;;) {
    try {
      return await readLog(from);
    } catch (error) {
      if (asRefusal(error)?.code !== 'service_unavailable') throw error;
      await wait(tryAgainAfter);
      if (isEnded()) return [];
    }
  }
}

const isOwnKey = (caller: Caller, id: string | undefined) =>
  caller.method === 'api_key' && showId('key', caller.keyId) === id;
