import type { AnswerOf } from '../../contract/endpoint.ts';
import type { addNote as endpoint } from '../../contract/desk.ts';
import type { Request } from '../http/request.ts';
import { jobUuid } from '../jobs/job.ts';
import type { JobKey } from '../jobs/job-event.ts';
import type { Db, Trx } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { Refusal } from '../http/refusal.ts';
import { showNote } from './desk-job.ts';

export const writeNote = (trx: Trx, job: JobKey, authorId: string, body: string) =>
  trx
    .insertInto('job_notes')
    .values({ account_id: job.account_id, job_id: job.id, author_id: authorId, body })
    .returningAll()
    .executeTakeFirstOrThrow();

/** A word between the people of the studio; the customer never sees it. */
export async function addNote(
  db: Db,
  { caller, params, body, idempotencyKey }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const route = `POST /api/operator/v1/jobs/${params.id}/notes`;
  return withIdempotencyKey(
    db,
    { owner: { deskCallerId: caller.userId }, route, key: idempotencyKey, body },
    async (trx) => {
      const job = await trx
        .selectFrom('jobs')
        .select(['account_id', 'id'])
        .where('id', '=', jobUuid(params.id))
        .executeTakeFirst();
      if (!job) throw new Refusal('job_not_found');
      const note = await writeNote(trx, job, caller.userId, body.body);
      return { status: 201, body: { note: showNote({ ...note, author_name: caller.name }) } };
    },
  );
}
