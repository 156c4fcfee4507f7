import type { listMessages as endpoint } from '../../contract/jobs/talk.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { jobUuid } from '../jobs/job.ts';
import type { Signer } from '../lib/signer.ts';
import { findFollowedJob } from '../notifications/followers.ts';
import { customerParty } from './message.ts';
import { readThread } from './thread.ts';

export async function listMessages(
  { db, signer }: { db: Db; signer: Signer },
  { caller, params, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId } = caller;
  const job = await findFollowedJob(db, accountId, jobUuid(params.id));
  if (!job) throw new Refusal('job_not_found');
  const thread = await readThread(db, signer, { account_id: accountId, id: job.id }, customerParty(caller), query);
  return { status: 200, body: { ...thread, followers: job.followers } };
}
