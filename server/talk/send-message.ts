import type { sendMessage as endpoint } from '../../contract/jobs/talk.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db } from '../db/pool.ts';
import { logBounds } from '../events/event.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { jobUuid, lockJob } from '../jobs/job.ts';
import type { JobKey } from '../jobs/job-event.ts';
import { waitForReply } from '../jobs/next-action.ts';
import { customerParty, findMessage, showMessage } from './message.ts';
import { writeMessage } from './write-message.ts';

/** What a repeat answers. Version 0.2.0 stored only the id. */
type Sent = { message_id: string; next_action?: string };

/** An Idempotency-Key remembers no text, so that no copy of it outlives a withdrawal. */
export async function sendMessage(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { accountId } = caller;
  const party = customerParty(caller);
  const answer = await withIdempotencyKey(db, request, async (trx) => {
    const job = await lockJob(trx, accountId, params.id);
    const { message_id, after } = await writeMessage(trx, job, party, body, cause);
    const sent: Sent = { message_id, next_action: waitForReply(job, after) };
    return { status: 201 as const, body: sent };
  });
  const job = { account_id: accountId, id: jobUuid(params.id) };
  const { message_id } = answer.body;
  const message = await findMessage(db, job, message_id);
  const next_action = answer.body.next_action ?? (await waitForNews(db, job));
  return { ...answer, body: { message: showMessage(message, party), next_action } };
}

/** From now on, since what was stored does not say after which event. */
async function waitForNews(db: Db, { account_id, id }: JobKey): Promise<string> {
  const jobs = db.selectFrom('jobs').select(['id', 'status']);
  const job = await jobs.where('account_id', '=', account_id).where('id', '=', id).executeTakeFirstOrThrow();
  return waitForReply(job, (await logBounds(db, account_id)).latest);
}
