import type { EventType } from '../../contract/jobs/job.ts';
import { sql } from 'kysely';
import {
  type Actor,
  canMove,
  isEnded,
  type JobStatus,
  mayMove,
  type MoveName,
  moves,
  parkedAfter,
  submitsTo,
} from '../../contract/moves.ts';
import type { Trx } from '../db/pool.ts';
import { reverseCharge } from '../usage/ledger.ts';
import type { JobChanges, JobRow } from './job.ts';
import { appendEvents, type EventData } from '../events/append-events.ts';
import type { Cause } from '../http/request.ts';
import { aboutFile, moveEvents } from './job-event.ts';
import { closeQuestions, closesQuestions, readClock, runningClock } from './clock.ts';
import { releaseFiles } from './job-file.ts';
import { customerFollowers } from '../notifications/followers.ts';
import { notify } from '../notifications/notify.ts';
import { tellDesk } from './tell-desk.ts';

const events: Record<MoveName, readonly EventType[]> = {
  accept: ['job.accepted'],
  start: ['job.started'],
  submit: ['job.submitted'],
  pass: ['job.ready_for_customer_review'],
  return: ['job.returned'],
  reject: ['job.rejected'],
  release: ['job.requeued'],
  expire: ['job.requeued'],
  approve: ['job.approved', 'job.completed'],
  revision: ['job.revision_requested'],
  cancel: ['job.canceled'],
};

const targetOf = (move: MoveName, job: JobRow): JobStatus =>
  move === 'submit' ? submitsTo(job.quality_review) : moves[move].to;

function eventsFor(move: MoveName, to: JobStatus, actor: Actor): readonly EventType[] {
  if (move === 'submit' && to === moves.pass.to) return [...events.submit, ...events.pass];
  return move === 'approve' && actor === 'service' ? ['job.auto_approved', 'job.completed'] : events[move];
}

/** Quota is returned for a cancellation before any submission, and for a rejection before any release. */
export function givesBack(move: MoveName, job: JobRow): boolean {
  if (move === 'cancel') return (job.status === 'queued' || job.status === 'accepted') && !job.ever_submitted;
  return move === 'reject' && !job.ever_released;
}

/** Event data with the delivery round: 0 for the first, which ends with a revision. */
function dataOf(move: MoveName, job: JobRow, { reason_code, due_at }: JobChanges): EventData {
  if (typeof reason_code === 'string') return { reason_code, unit_returned: givesBack(move, job) };
  if (move === 'cancel') return { unit_returned: givesBack(move, job) };
  if (due_at instanceof Date) return { round: job.revisions_used, due_at: due_at.toISOString() };
  return ['submit', 'pass', 'approve', 'revision'].includes(move) ? { round: job.revisions_used } : {};
}

/** A job that returns to an operator is held again. Otherwise nobody holds it by default. */
const heldSince = (move: MoveName, job: JobRow) =>
  (move === 'return' || move === 'revision') && job.operator_id !== null ? sql<Date>`now()` : null;

/**
 * Counts expired leases and jobs that workers gave back; at five the job is parked. An operator's move or a
 * revision resets the count.
 */
function leaseExpiries(move: MoveName, actor: Actor, job: JobRow): number {
  if (move === 'expire' || (move === 'release' && actor === 'worker'))
    return Math.min(job.lease_expiries + 1, parkedAfter);
  return actor === 'operator' || move === 'revision' ? 0 : job.lease_expiries;
}

export const setLease = (trx: Trx, job: JobRow, lease: JobChanges) =>
  trx
    .updateTable('jobs')
    .where('account_id', '=', job.account_id)
    .where('id', '=', job.id)
    .set(lease)
    .returning(['lease_token', 'lease_expires_at'])
    .executeTakeFirstOrThrow();

/** When the delivery of the current round is due; null if nothing is promised for it. */
const dueOf = ({ due_at, due_round, revisions_used }: Pick<JobRow, 'due_at' | 'due_round' | 'revisions_used'>) =>
  due_round === revisions_used ? due_at : null;

async function releaseSubmission(trx: Trx, job: JobRow, due: Date | null): Promise<string[]> {
  await sql`
    update job_submissions set released_at = now(), due_at = ${due}::timestamptz
    where account_id = ${job.account_id} and job_id = ${job.id} and id = (
      select id from job_submissions where account_id = ${job.account_id} and job_id = ${job.id}
      order by created_at desc, id desc limit 1)`.execute(trx);
  return releaseFiles(trx, job);
}

/** The studio no longer waits for an answer: closes its questions. */
async function startClock(trx: Trx, job: JobRow) {
  const at = await readClock(trx);
  await closeQuestions(trx, job, at);
  return runningClock(job, at);
}

const dueDateEvents = (to: JobStatus, { due_at }: { due_at?: Date | null }) =>
  due_at && !isEnded(to) ? [{ type: 'job.due_date_changed' as const, data: { due_at: due_at.toISOString() } }] : [];

/**
 * Applies one move to a locked job: status, events, counters and ledger, in the caller's transaction. The
 * verb has checked `canMove` and refused with its own code; a move that is not in the table is our fault.
 * Locks job, account, period, in the same order as all other code. Returns the seq of its last event.
 */
export async function applyMove(
  trx: Trx,
  job: JobRow,
  move: MoveName,
  cause: Cause,
  changes: JobChanges = {},
): Promise<number> {
  if (!canMove(move, job.status) || !mayMove(move, cause.actor))
    throw new Error(`There is no move ${move} from ${job.status} by the ${cause.actor}.`);
  const to = targetOf(move, job);
  const released = to === moves.pass.to;
  const types = eventsFor(move, to, cause.actor);
  const data = dataOf(move, job, changes);
  const step = { status: to, previous: job.status };
  const clock = closesQuestions(move, job) ? await startClock(trx, job) : {};
  const files = released ? await releaseSubmission(trx, job, dueOf({ ...job, ...clock })) : [];
  const happened = [...dueDateEvents(to, clock), ...types.map((type) => ({ type, data }))];
  // Before the last one, so that a reader who waits for the delivery has already read about its files.
  happened.splice(-1, 0, ...files.map((id) => aboutFile('job.deliverable_added', id)));
  const events = moveEvents(job.id, job.last_seq, happened, step);
  await trx
    .updateTable('jobs')
    .where('account_id', '=', job.account_id)
    .where('id', '=', job.id)
    .set({
      status: to,
      status_changed_at: sql`now()`,
      updated_at: sql`now()`,
      last_seq: job.last_seq + events.length,
      held_since: heldSince(move, job),
      lease_expires_at: null,
      lease_expiries: leaseExpiries(move, cause.actor, job),
      answered_at: null,
      ...clock,
      review_due_at: released ? sql`now() + make_interval(hours => ${job.auto_approval_hours}::int)` : null,
      ...(move === 'revision' ? { round_operators: sql`array_remove(array[operator_id], null)` } : {}),
      ever_submitted: job.ever_submitted || move === 'submit',
      ever_released: job.ever_released || released,
      ...changes,
    })
    .execute();
  if (move === 'submit' || isEnded(to)) await deleteDraft(trx, job);
  if (isEnded(to)) {
    await trx
      .updateTable('account_counters')
      .where('account_id', '=', job.account_id)
      .set({ active_jobs: sql`active_jobs - 1` })
      .execute();
    if (givesBack(move, job)) await reverseCharge(trx, job);
    await recordOutcome(trx, job, cause);
  }
  if (released) await tellFollowers(trx, job, 'delivered');
  if (move === 'reject') await tellFollowers(trx, job, 'rejected');
  await tellDesk(trx, job, move, to, cause);
  return appendEvents(trx, job.account_id, cause, events);
}

const deleteDraft = (trx: Trx, { account_id, id }: JobRow) =>
  trx.deleteFrom('job_drafts').where('account_id', '=', account_id).where('job_id', '=', id).execute();

/** Tells those who follow the job of its delivery, with a mail of its own, or of its rejection. */
async function tellFollowers(trx: Trx, job: JobRow, kind: 'delivered' | 'rejected'): Promise<void> {
  const { account_id, id, revisions_used: round, customer_title: about } = job;
  const news = { kind, cause: `${id} ${round}`, accountId: account_id, jobId: id, about };
  const followers = await customerFollowers(trx, job);
  if (kind === 'rejected') return notify(trx, followers, news);
  const mailOf = (userId: string) => ({ kind: 'job_ready' as const, userId, data: { account_id, job_id: id, round } });
  await notify(trx, followers, { ...news, ...(round > 0 ? { state: 'again' } : {}) }, mailOf);
}

/**
 * For the reports. Who rejects a job without a delivery comes from the cause, because that event is written
 * later.
 */
async function recordOutcome(trx: Trx, { account_id, id }: JobRow, cause: Cause): Promise<void> {
  await sql`
    insert into job_outcomes (account_id, job_id, ended_at, status, service_family, service_type, operator_id, worker_key_id,
      turnaround_seconds, due_deliveries, on_time_deliveries, revision_rounds, reason_code)
    select account_id, job_id, ended_at, status, service_family, service_type,
      case when status = 'rejected' and turnaround_seconds is null then ${cause.userId}::uuid else operator_id end,
      worker_key_id, turnaround_seconds, due_deliveries, on_time_deliveries, revision_rounds, reason_code
    from computed_job_outcomes where account_id = ${account_id} and job_id = ${id}`.execute(trx);
}
