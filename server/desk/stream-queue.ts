import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerOf, EntrySource, StreamControl, StreamEntry } from '../../contract/endpoint.ts';
import type { streamQueue as endpoint } from '../../contract/queue.ts';
import type { Db } from '../db/pool.ts';
import type { CallerOf } from '../http/caller.ts';
import type { Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { type Counts, queueCounts } from './queue-counts.ts';
import type { Hub } from '../events/hub.ts';

type Parts = { db: Db; hub: Hub };
type Change = { job_id: string; at: Date };

/** Milliseconds between two entries at least, and after which a browser connects again. */
const tellEvery = 500;
const retry = 2_000;

/** Jobs that one entry names, and changes that one look reads. */
const [maxNamed, maxRead] = [500, 5_000];

/** The queue as it changes, for operators and workers. It has no order to resume in: accounts are numbered each for itself. */
export function streamQueue(parts: Parts, { caller }: Request<typeof endpoint>): AnswerOf<typeof endpoint> {
  return { status: 200, body: (stream) => follow(parts, caller, stream) };
}

function follow({ db, hub }: Parts, caller: CallerOf<'desk'>, stream: StreamControl): EntrySource {
  const families = caller.method === 'session' ? null : caller.serviceFamilies;
  let told: { changes: readonly Change[]; counts: Counts; at: number } | null = null;
  let isClosed = false;
  hub.add(null, stream);

  async function* read(): AsyncGenerator<StreamEntry> {
    const before = told;
    if (before) await pause(Math.max(before.at + tellEvery - performance.now(), 0));
    if (isClosed) return;
    const changes = await recentChanges(db, families);
    const counts = await queueCounts(db, caller, families);
    told = { changes, counts, at: performance.now() };
    if (!before) return yield { retry, data: { counts, changed: [] } };
    const names = namesOf(before.changes);
    const fresh = changes.filter((change) => !names.has(nameOf(change)));
    // What is late by now has changed without anybody.
    if (fresh.length === 0 && JSON.stringify(counts) === JSON.stringify(before.counts)) return;
    const jobs = [...new Set(fresh.map(({ job_id }) => showId('job', job_id)))];
    const tooMany = jobs.length > maxNamed || changes.length === maxRead;
    yield { data: { counts, changed: tooMany ? null : jobs } };
  }

  return {
    read,
    close() {
      isClosed = true;
      hub.remove(null, stream);
    },
  };
}

const nameOf = ({ job_id, at }: Change) => `${job_id} ${at.getTime()}`;
const namesOf = (changes: readonly Change[]) => new Set(changes.map(nameOf));

/**
 * What happened to jobs in the last seconds, and who took one. Times are those of the beginning of a transaction, which may
 * commit a few seconds later, so what was told already is found again.
 */
async function recentChanges(db: Db, families: string[] | null): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select c.job_id, c.at
    from (
      select v.account_id, v.job_id, v.created_at as at from events v
      where v.created_at > now() - interval '10 seconds' and v.job_id is not null
      union
      select j.account_id, j.id, j.held_since from jobs j
      where j.status not in ('completed', 'rejected', 'canceled') and j.held_since > now() - interval '10 seconds'
    ) c
    where ${families}::text[] is null or exists (select from jobs j
      where j.account_id = c.account_id and j.id = c.job_id and j.service_family = any(${families}::text[]))
    order by c.at desc limit ${maxRead}`.execute(db);
  return rows;
}
