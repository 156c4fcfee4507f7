import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerOf, EntrySource, StreamControl, StreamEntry } from '../../../contract/endpoint.ts';
import type { streamQueue as endpoint } from '../../../contract/desk/queue.ts';
import type { Db } from '../../db/pool.ts';
import type { CallerOf, Request } from '../../http/request.ts';
import { showId } from '../../lib/id.ts';
import { type Counts, queueCounts } from './queue-counts.ts';
import { findViewers, type ShownViewer } from './viewers.ts';
import type { Hub } from '../../events/hub.ts';

type Dependencies = { db: Db; hub: Hub };
type Change = { job_id: string; at: Date };
type Shown = { counts: Counts; viewing: ShownViewer[] };
type Sent = { changes: readonly Change[]; shown: Shown; at: number };

/** Milliseconds: least time between two entries, and after which a browser reconnects. */
const tellEvery = 500;
const retry = 2_000;

/** Most jobs named in one entry, and most changes read at once. */
const [maxNamed, maxRead] = [500, 5_000];

/** Not resumable: sequence numbers count per account, so there is no overall order. */
export function streamQueue(
  dependencies: Dependencies,
  { caller }: Request<typeof endpoint>,
): AnswerOf<typeof endpoint> {
  return { status: 200, body: (stream) => follow(dependencies, caller, stream) };
}

function follow({ db, hub }: Dependencies, caller: CallerOf<'desk'>, stream: StreamControl): EntrySource {
  const families = caller.method === 'session' ? null : caller.serviceFamilies;
  let lastSent: Sent | null = null;
  let isClosed = false;
  hub.add(null, stream);

  async function* read(): AsyncGenerator<StreamEntry> {
    const before = lastSent;
    if (before) await pause(Math.max(before.at + tellEvery - performance.now(), 0));
    if (isClosed) return;
    const changes = await recentChanges(db, caller, families);
    const shown = {
      counts: await queueCounts(db, caller, families),
      viewing: caller.method === 'session' ? await findViewers(db) : [],
    };
    lastSent = { changes, shown, at: performance.now() };
    if (!before) return yield { retry, data: { ...shown, changed: [] } };
    const names = namesOf(before.changes);
    const fresh = changes.filter((change) => !names.has(nameOf(change)));
    // Jobs can become overdue, and operators can stop viewing them, without an event.
    if (fresh.length === 0 && JSON.stringify(shown) === JSON.stringify(before.shown)) return;
    const jobs = [...new Set(fresh.map(({ job_id }) => showId('job', job_id)))];
    const tooMany = jobs.length > maxNamed || changes.length === maxRead;
    yield { data: { ...shown, changed: tooMany ? null : jobs } };
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

/** Timestamps are of the start of a transaction, so later looks read the same changes again. */
async function recentChanges(db: Db, caller: CallerOf<'desk'>, families: string[] | null): Promise<Change[]> {
  const userId = caller.method === 'session' ? caller.userId : null;
  const { rows } = await sql<Change>`
    select c.job_id, c.at
    from (
      select v.account_id, v.job_id, v.created_at as at from events v
      where v.created_at > now() - interval '10 seconds' and v.job_id is not null
      union
      select j.account_id, j.id, j.held_since from jobs j
      where j.status not in ('completed', 'rejected', 'canceled') and j.held_since > now() - interval '10 seconds'
      union
      select k.account_id, k.job_id, k.checked_at from job_comments k
      where k.checked_at > now() - interval '10 seconds'
      union
      select m.account_id, m.job_id, m.withdrawn_at from job_messages m
      where m.withdrawn_at > now() - interval '10 seconds'
      union
      select s.account_id, s.job_id, t.at from jobs_set_aside s,
        lateral (values (s.set_aside_at), (s.set_aside_until)) t (at)
      where t.at > now() - interval '10 seconds' and t.at <= now()
      union
      -- What the operator was told about a job is stored after it happened.
      select n.account_id, n.job_id, n.created_at from notifications n
      where n.user_id = ${userId}::uuid and n.side = 'studio' and n.created_at > now() - interval '10 seconds'
        and n.job_id is not null
    ) c
    where ${families}::text[] is null or exists (select from jobs j
      where j.account_id = c.account_id and j.id = c.job_id and j.service_family = any(${families}::text[]))
    order by c.at desc limit ${maxRead}`.execute(db);
  return rows;
}
