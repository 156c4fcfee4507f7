import { sql } from 'kysely';
import type { addNote as endpoint } from '../../../contract/desk/desk.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import type { AnswerOf, CallerOf, Request } from '../../http/request.ts';
import type { Trx, Db } from '../../db/pool.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import type { JobKey } from '../../jobs/job-event.ts';
import { queueWords } from '../../jobs/queue-words.ts';
import { jobKeyOf, showNote } from './desk-job.ts';

/** Notes are internal: the customer never sees them. */
export async function addNote(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  return withIdempotencyKey(db, request, async (trx) => {
    const job = await jobKeyOf(trx, params.id);
    const note = await insertNote(trx, job, caller, body.body);
    await appendAudit(trx, cause, { action: 'note.added', subject: params.id, accountId: job.account_id });
    const shown = showNote({ ...note, author_name: caller.name });
    return { status: 201, body: { note: shown }, accountId: job.account_id };
  });
}

/** The note of a worker belongs to who made its key. */
export async function insertNote(trx: Trx, job: JobKey, caller: CallerOf<'desk'>, body: string) {
  await queueWords(trx, job);
  return trx
    .insertInto('job_notes')
    .values({
      account_id: job.account_id,
      job_id: job.id,
      body,
      ...(caller.method === 'session'
        ? { author_id: caller.userId }
        : {
            author_id: sql<string>`(select created_by from worker_keys where id = ${caller.keyId})`,
            worker_key_id: caller.keyId,
          }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
