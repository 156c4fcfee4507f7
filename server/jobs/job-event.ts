import { type Insertable, type Selectable, sql } from 'kysely';
import type { Static } from 'typebox';
import type { eventTypes, JobEvent } from '../../contract/job.ts';
import type { Actor, JobStatus } from '../../contract/moves.ts';
import type { Trx } from '../db/pool.ts';
import { newId, showId } from '../lib/id.ts';
import type { JobEvents, Jobs } from '../tables.ts';

/** What names a job. */
export type JobKey = Pick<Selectable<Jobs>, 'account_id' | 'id'>;

export type EventType = (typeof eventTypes)[number];

/** As one statement reads it: with the time in milliseconds, because JSON has no other exact form here. */
export type EventRow = {
  id: string;
  seq: number;
  type: EventType;
  status: JobStatus;
  previous_status: JobStatus | null;
  actor: Actor;
  message: string;
  request_id: string;
  at: number;
};

export const showEvent = ({ id, at, ...event }: EventRow): Static<typeof JobEvent> => ({
  id: showId('evt', id),
  ...event,
  created_at: new Date(at).toISOString(),
});

/** What the customer reads. No worker, no operator, no note, nothing of a delivery before its release. */
export const eventWords: Record<EventType, string> = {
  'job.created': 'The job was created and is queued.',
  'job.accepted': 'The studio accepted the job.',
  'job.started': 'Work on the job started.',
  'job.submitted': 'The work was submitted.',
  'job.returned': 'The studio returned the work for changes before delivery.',
  'job.ready_for_customer_review': 'The work is ready for your review.',
  'job.revision_requested': 'A revision was requested.',
  'job.approved': 'The work was approved.',
  'job.auto_approved': 'The time for review ended, and the work was approved by the service.',
  'job.completed': 'The job is completed.',
  'job.canceled': 'The job was canceled.',
  'job.rejected': 'The studio rejected the job.',
  'job.requeued': 'The job went back to the queue.',
  'job.file_attached': 'A file was attached.',
  'job.deliverable_added': 'A file was delivered.',
};

type Step = { status: JobStatus; previous: JobStatus; actor: Actor; requestId: string };

/**
 * The events of one move, numbered after `lastSeq`. The last one carries the change of status; those before it
 * stand at the status the job had.
 */
export function eventsOf(
  job: JobKey,
  lastSeq: number,
  types: readonly EventType[],
  step: Step,
): Insertable<JobEvents>[] {
  return types.map((type, index) => ({
    id: newId(),
    account_id: job.account_id,
    job_id: job.id,
    seq: lastSeq + index + 1,
    type,
    status: index === types.length - 1 ? step.status : step.previous,
    previous_status: step.previous,
    actor: step.actor,
    message: eventWords[type],
    request_id: step.requestId,
  }));
}

/** Events of what happens to a job without a move: numbered under the lock of its row, at the status that it has. */
export async function recordEvents(
  trx: Trx,
  key: JobKey,
  types: readonly EventType[],
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<void> {
  if (types.length === 0) return;
  const job = await trx
    .updateTable('jobs')
    .where('account_id', '=', key.account_id)
    .where('id', '=', key.id)
    .set({ last_seq: sql`last_seq + ${types.length}`, updated_at: sql`now()` })
    .returning(['last_seq', 'status'])
    .executeTakeFirstOrThrow();
  const status = job.status as JobStatus;
  const step = { status, previous: status, actor, requestId };
  await trx
    .insertInto('job_events')
    .values(eventsOf(key, job.last_seq - types.length, types, step))
    .execute();
}
