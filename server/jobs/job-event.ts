import { type Selectable, sql } from 'kysely';
import type { Static } from 'typebox';
import type { JobEvent } from '../../contract/jobs/events.ts';
import type { EventType } from '../../contract/jobs/job.ts';
import { jobLinks } from '../../contract/jobs/job-links.ts';
import type { Actor, JobStatus } from '../../contract/moves.ts';
import type { Trx } from '../db/pool.ts';
import { isoTime, type Time } from '../db/time.ts';
import { appendEvents, type EventData, type NewEvent } from '../events/append-events.ts';
import type { EventCreator } from '../events/event.ts';
import type { Cause } from '../http/request.ts';
import { showId, withCreatorId } from '../lib/id.ts';
import type { Jobs } from '../tables.ts';

export type JobKey = Pick<Selectable<Jobs>, 'account_id' | 'id'>;

export type EventRow = {
  id: string;
  seq: number;
  type: EventType;
  status: JobStatus;
  previous_status: JobStatus | null;
  actor: Actor;
  message: string;
  request_id: string;
  data: EventData | null;
  created_by: EventCreator | null;
  at: Time;
};

type ShownJob = { id: string; reference: string | null; events: readonly EventRow[] };

/** The history of a job. All its events share one object of links. */
export function showJobEvents(job: ShownJob): Static<typeof JobEvent>[] {
  const id = showId('job', job.id);
  const { reference } = job;
  const links = jobLinks(id);
  return job.events.map(({ seq, status, previous_status, ...event }) => ({
    id: showId('evt', event.id),
    seq,
    type: event.type,
    created_at: isoTime(event.at),
    actor: event.actor,
    created_by: event.created_by && withCreatorId(event.created_by),
    request_id: event.request_id,
    message: event.message,
    job: { id, seq, status, previous_status, reference, links },
    data: event.data ?? {},
  }));
}

export const aboutFile = (type: EventType, fileId: string) => ({ type, data: { file_id: showId('file', fileId) } });

type Happened = { type: EventType; data?: EventData };
type Step = { status: JobStatus; previous: JobStatus };

/** Numbered after `lastSeq`. Only the last event has the new status. */
export const moveEvents = (jobId: string, lastSeq: number, happened: readonly Happened[], step: Step): NewEvent[] =>
  happened.map((event, index) => ({
    ...event,
    job_id: jobId,
    job_seq: lastSeq + index + 1,
    status: index === happened.length - 1 ? step.status : step.previous,
    previous_status: step.previous,
  }));

/** Returns the number of the last one in the log of the account. */
export async function appendJobEvents(
  trx: Trx,
  key: JobKey,
  happened: readonly Happened[],
  cause: Cause,
): Promise<number> {
  if (happened.length === 0) return 0;
  const job = await trx
    .updateTable('jobs')
    .where('account_id', '=', key.account_id)
    .where('id', '=', key.id)
    .set({ last_seq: sql`last_seq + ${happened.length}`, updated_at: sql`now()` })
    .returning(['last_seq', 'status'])
    .executeTakeFirstOrThrow();
  const step = { status: job.status, previous: job.status };
  const events = moveEvents(key.id, job.last_seq - happened.length, happened, step);
  return appendEvents(trx, key.account_id, cause, events);
}
