import type { rescheduleJob as endpoint } from '../../../contract/desk/due-dates.ts';
import { rescheduleDays } from '../../../contract/desk/due-bounds.ts';
import type { AnswerOf, Body } from '../../../contract/endpoint.ts';
import { canReschedule } from '../../../contract/moves.ts';
import type { Db, Trx } from '../../db/pool.ts';
import type { EventData } from '../../events/append-events.ts';
import { badBody, Refusal } from '../../http/refusal.ts';
import type { Request } from '../../http/request.ts';
import { changeClock, readClock } from '../../jobs/clock.ts';
import { appendJobEvents } from '../../jobs/job-event.ts';
import type { JobRow } from '../../jobs/job.ts';
import { unsafe } from '../../safety/policy.ts';
import { lockDeskJob, moveOnce } from './desk-move.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';

type Wish = Body<typeof endpoint>;

/** Moves the due date of the current round. Events carry no text, so the reason has a row of its own. */
export async function rescheduleJob(
  context: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  if ((body.due_at === undefined) === (body.remaining_seconds === undefined))
    throw badBody([{ location: '/', message: 'needs exactly one of due_at and remaining_seconds' }]);
  return moveOnce(context, request, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const job = await lockDeskJob(trx, params.id);
    refuseUnlessReschedulable(job, body);
    const clock = newClock(body, await readClock(trx));
    const danger = unsafe([['/reason', body.reason]]);
    if (danger) throw danger;
    await changeClock(trx, job, { ...clock, due_round: job.revisions_used });
    await keepReason(trx, job, body.reason);
    await appendJobEvents(trx, job, [{ type: 'job.due_date_changed', data: dataOf(job, body, clock) }], cause);
    return job;
  });
}

function refuseUnlessReschedulable({ status, waiting_since }: JobRow, wish: Wish): void {
  if (!canReschedule(status))
    throw new Refusal('invalid_transition', { message: `The due date of a ${status} job cannot be moved.` });
  if (waiting_since !== null && wish.due_at !== undefined)
    throw new Refusal('invalid_transition', {
      message: 'The clock stands still until a question is answered, so the job has no due date now.',
      action: 'Send remaining_seconds: the time that is left once it is answered.',
    });
  if (waiting_since === null && wish.remaining_seconds !== undefined)
    throw new Refusal('invalid_transition', {
      message: `The clock of the ${status} job runs.`,
      action: 'Send due_at.',
    });
}

type NewClock = { due_at: Date | null; remaining_ms: number | null };

function newClock({ due_at, remaining_seconds }: Wish, now: Date): NewClock {
  if (due_at === undefined) return { due_at: null, remaining_ms: (remaining_seconds ?? 0) * 1000 };
  const due = new Date(due_at);
  const ahead = due.getTime() - now.getTime();
  if (!(ahead > 0)) throw badBody([{ location: '/due_at', message: 'must be in the future' }]);
  if (ahead > rescheduleDays * 86_400_000)
    throw badBody([{ location: '/due_at', message: `must be at most ${rescheduleDays} days ahead` }]);
  return { due_at: due, remaining_ms: null };
}

/** Under the number that the event gets. */
const keepReason = (trx: Trx, { account_id, id, last_seq }: JobRow, reason: string) =>
  trx
    .insertInto('job_due_date_changes')
    .values({ account_id, job_id: id, job_seq: last_seq + 1, reason: reason.trim() })
    .execute();

const dataOf = (job: JobRow, { remaining_seconds }: Wish, { due_at }: NewClock): EventData => ({
  due_at: due_at?.toISOString() ?? null,
  previous_due_at: job.due_at?.toISOString() ?? null,
  ...(remaining_seconds === undefined
    ? {}
    : {
        remaining_seconds,
        previous_remaining_seconds: job.remaining_ms === null ? null : Math.floor(Number(job.remaining_ms) / 1000),
      }),
});
