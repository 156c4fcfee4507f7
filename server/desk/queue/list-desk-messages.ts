import type { listDeskMessages as endpoint } from '../../../contract/desk/talk.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import type { Signer } from '../../lib/signer.ts';
import { deskParty } from '../../talk/message.ts';
import { readThread } from '../../talk/thread.ts';
import { deskJobKey } from './desk-thread.ts';

export async function listDeskMessages(
  { db, signer }: { db: Db; signer: Signer },
  { caller, params, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const job = await deskJobKey(db, caller, params.id);
  return { status: 200, body: await readThread(db, signer, job, deskParty(caller), query) };
}
