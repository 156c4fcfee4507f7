import type { listMessages as endpoint } from '../../contract/jobs/talk.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { ownedJobId } from '../jobs/job.ts';
import type { Signer } from '../lib/signer.ts';
import { namedFollowers } from '../notifications/followers.ts';
import { customerParty } from './message.ts';
import { readThread } from './thread.ts';

export async function listMessages(
  { db, signer }: { db: Db; signer: Signer },
  { caller, params, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const job = { account_id: caller.accountId, id: await ownedJobId(db, caller.accountId, params.id) };
  const thread = await readThread(db, signer, job, customerParty(caller), query);
  return { status: 200, body: { ...thread, followers: await namedFollowers(db, job) } };
}
