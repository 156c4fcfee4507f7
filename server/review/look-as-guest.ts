import type { lookAsGuest as endpoint } from '../../contract/review/looking.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { noteLooking } from './looker.ts';

/** Whoever may not comment reads nobody's name. */
export async function lookAsGuest(
  { db }: { db: Db },
  { caller, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId, jobId, reviewLinkId, canComment } = caller;
  const person = { userId: null, reviewLinkId, guestName: canComment ? (body.name ?? null) : null };
  const lookers = await noteLooking(db, { account_id: accountId, id: jobId }, person, body.looking);
  return { status: 200, body: { lookers: canComment ? lookers : [] } };
}
