import { sql } from 'kysely';
import { setAsideDays, type setJobAside as endpoint } from '../../../contract/desk/set-aside.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { announce, type Db, transact, type Trx } from '../../db/pool.ts';
import { badBody, Refusal } from '../../http/refusal.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { readClock } from '../../jobs/clock.ts';
import type { JobRow } from '../../jobs/job.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';
import { insertNote } from './add-note.ts';
import { findDeskRow, showDeskJob } from './desk-job.ts';
import { lockDeskJob } from './desk-move.ts';
import { refuseOtherHolder } from './lease.ts';

/** Neither the holder nor the clock changes. Setting it aside again replaces reason and date. */
export async function setJobAside(
  { db, graceHours }: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body } = request;
  const reason = body.reason.trim();
  return transact(db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const job = await lockDeskJob(trx, params.id);
    refuseUnlessWaiting(job);
    refuseOtherHolder(caller, job, 'release');
    const until = boundedDate(body.set_aside_until, await readClock(trx));
    const { account_id: accountId } = job;
    const { numAffectedRows = 0n } = await sql`
      insert into jobs_set_aside (account_id, job_id, user_id, reason, after_seq, set_aside_until)
      values (${accountId}, ${job.id}, ${caller.userId}, ${reason}, ${job.last_seq}, ${until})
      on conflict (account_id, job_id) do update
        set user_id = excluded.user_id, reason = excluded.reason, after_seq = excluded.after_seq,
          set_aside_at = excluded.set_aside_at, set_aside_until = excluded.set_aside_until
        where (jobs_set_aside.reason, jobs_set_aside.after_seq, jobs_set_aside.set_aside_until)
          is distinct from (excluded.reason, excluded.after_seq, excluded.set_aside_until)`.execute(trx);
    if (numAffectedRows > 0n) await tell(trx, job, request, until);
    return { status: 200, body: { job: showDeskJob(await findDeskRow(trx, job, graceHours), caller) } };
  });
}

function refuseUnlessWaiting({ status, held_since, worker_key_id }: JobRow): void {
  if (status !== 'queued' && status !== 'accepted' && status !== 'running')
    throw new Refusal('invalid_transition', { message: `A ${status} job cannot be set aside.` });
  if (held_since !== null && worker_key_id !== null)
    throw new Refusal('invalid_transition', {
      message: 'A worker holds the job and works on it.',
      action: 'Take the job over first.',
    });
}

async function tell(trx: Trx, job: JobRow, { caller, params, body, cause }: Request<typeof endpoint>, until: Date) {
  const words = until.toISOString().slice(0, 16).replace('T', ' ');
  await insertNote(trx, job, caller, `Set aside until ${words} UTC: ${body.reason.trim()}`);
  const details = { until: until.toISOString() };
  await appendAudit(trx, cause, {
    action: 'job.set_aside',
    subject: params.id,
    accountId: job.account_id,
    details,
  });
  announce(trx, job.account_id);
}

function boundedDate(text: string, now: Date): Date {
  const until = new Date(text);
  const ahead = until.getTime() - now.getTime();
  if (ahead > 0 && ahead <= setAsideDays * 86_400_000) return until;
  const message = `must be in the future, at most ${setAsideDays} days ahead`;
  throw badBody([{ location: '/set_aside_until', message }]);
}
