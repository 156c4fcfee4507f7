import { sql } from 'kysely';
import type { saveDeliveryDraft as endpoint } from '../../../contract/desk/drafts.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import { type Db, transact, type Trx } from '../../db/pool.ts';
import type { Operator, Request } from '../../http/request.ts';
import { Refusal } from '../../http/refusal.ts';
import type { JobRow } from '../../jobs/job.ts';
import { namedFiles } from '../../jobs/job-file.ts';
import { findDeliveryDraft } from './delivery-draft.ts';
import { lockDeskJob } from './desk-move.ts';

/** Under the lock of the job: a page that lost its hold cannot write over the draft of the next holder. */
export async function saveDeliveryDraft(
  { db }: { db: Db },
  { caller, params, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    const job = await lockDeskJob(trx, params.id);
    refuseUnlessHolder(job, caller);
    const files = await draftFiles(trx, job, body.file_ids);
    await writeDraft(trx, job, caller, body.message, files);
    return { status: 200, body: { draft: await findDeliveryDraft(trx, job) } };
  });
}

function refuseUnlessHolder(job: JobRow, { userId }: Operator): void {
  if (job.held_since === null || job.operator_id !== userId)
    throw new Refusal('invalid_transition', {
      message: `The job is ${job.status} and you do not hold it.`,
      action: 'Take the job over first, or leave its draft to its holder.',
    });
}

async function draftFiles(trx: Trx, job: JobRow, fileIds: readonly string[]): Promise<string[]> {
  const candidates = { account_id: job.account_id, job_id: job.id, uploaded_by: 'studio' } as const;
  const files = await namedFiles(
    trx,
    candidates,
    fileIds,
    (file) => (file.released_at === null ? null : 'names a file that was already delivered'),
    'as they are',
  );
  return files.map(({ id }) => id);
}

const writeDraft = (trx: Trx, job: JobRow, { userId }: Operator, message: string, fileIds: readonly string[]) =>
  sql`
    insert into job_drafts (account_id, job_id, message, file_ids, saved_by, saved_at)
    values (${job.account_id}, ${job.id}, ${message}, ${fileIds}::uuid[], ${userId}, now())
    on conflict (account_id, job_id) do update
    set message = excluded.message, file_ids = excluded.file_ids, saved_by = excluded.saved_by,
      saved_at = excluded.saved_at`.execute(trx);
