import { setTimeout as wait } from 'node:timers/promises';
import type { AnswerOf, EntrySource, StreamControl, StreamEntry } from '../../contract/endpoint.ts';
import { type streamEvents as endpoint, reviewerEventTypes } from '../../contract/jobs/events.ts';
import type { Db } from '../db/pool.ts';
import { type EventRow, isReadable, logBounds, type ReadLog, showAccountEvent } from '../events/event.ts';
import type { ReadUnloggedChanges, UnloggedChanges } from '../events/unlogged-changes.ts';
import type { Hub } from '../events/hub.ts';
import { type Caller, isReviewer, type Request } from '../http/request.ts';
import { asRefusal } from '../http/failure.ts';
import { badRequest } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';

type Start = { after: number; latest: number; resync: boolean };
type Sources = { hub: Hub; readLog: ReadLog; readUnloggedChanges: ReadUnloggedChanges };

const retry = 2_000;

/** Milliseconds before a failed read of the database is repeated. */
const tryAgainAfter = 1_000;

export async function streamEvents(
  { db, ...sources }: { db: Db } & Sources,
  { caller, query, headers }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const start = await findStart(db, caller.accountId, readLastEventId(headers['last-event-id']) ?? query.after);
  const changes = await sources.readUnloggedChanges(caller.accountId);
  return { status: 200, body: (stream) => new Follower(sources, caller, start, changes, stream) };
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
  readonly #sources: Sources;
  readonly #caller: Caller;
  readonly #stream: StreamControl;
  #cursor: number;
  #start: Start | null;
  #unlogged: UnloggedChanges;
  #isClosed = false;

  constructor(sources: Sources, caller: Caller, start: Start, unlogged: UnloggedChanges, stream: StreamControl) {
    this.#sources = sources;
    this.#caller = caller;
    this.#stream = stream;
    this.#cursor = start.after;
    this.#start = start;
    this.#unlogged = unlogged;
    sources.hub.add(caller.accountId, stream);
  }

  async *read(): AsyncGenerator<StreamEntry> {
    if (this.#start) yield* opening(this.#start);
    this.#start = null;
    for (let rows = await this.#next(); rows.length > 0; rows = await this.#next())
      for (const row of rows) {
        if (!isReviewer(this.#caller) || reviewerEventTypes.includes(row.type))
          yield { id: row.seq, data: showAccountEvent(row) };
        this.#cursor = Number(row.seq);
        if (row.type === 'api_key.revoked' && isOwnKey(this.#caller, row.data?.api_key_id)) return this.#stream.end();
      }
    yield* this.#unloggedChanges();
  }

  /** Comments that were not sent are in no event, so that the studio cannot read of them. */
  async *#unloggedChanges(): AsyncGenerator<StreamEntry> {
    const before = this.#unlogged;
    const read = () => this.#sources.readUnloggedChanges(this.#caller.accountId);
    const latest = await patiently(read, () => this.#isClosed, before);
    this.#unlogged = latest;
    for (const event of ['comments', 'messages'] as const)
      if (latest[event] !== before[event]) yield { event, data: { changes: latest[event] } };
  }

  #next(): Promise<EventRow[]> {
    const from = { accountId: this.#caller.accountId, after: this.#cursor };
    return readPatiently(this.#sources.readLog, from, () => this.#isClosed);
  }

  close(): void {
    this.#isClosed = true;
    this.#sources.hub.remove(this.#caller.accountId, this.#stream);
  }
}

/** Neither entry has an id, which would move the browser's cursor. */
function* opening({ latest, resync }: Start): Generator<StreamEntry> {
  yield { event: 'open', retry, data: { latest } };
  if (resync) yield { event: 'resync', data: { latest } };
}

/** A database outage ends no stream: thousands of readers would reconnect at once. */
async function patiently<Result>(read: () => Promise<Result>, isEnded: () => boolean, atEnd: Result): Promise<Result> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (asRefusal(error)?.code !== 'service_unavailable') throw error;
      await wait(tryAgainAfter);
      if (isEnded()) return atEnd;
    }
  }
}

export const readPatiently = (
  readLog: ReadLog,
  from: Parameters<ReadLog>[0],
  isEnded: () => boolean,
): Promise<EventRow[]> => patiently(() => readLog(from), isEnded, []);

const isOwnKey = (caller: Caller, id: string | undefined) =>
  caller.method === 'api_key' && showId('key', caller.keyId) === id;
