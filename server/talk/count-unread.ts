import type { countUnread as endpoint } from '../../contract/jobs/talk.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { unreadOf } from './thread.ts';

export async function countUnread(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  if (caller.method !== 'session') return { status: 200, body: { total: 0, jobs: [] } };
  return { status: 200, body: await unreadOf(db, caller.userId, caller.accountId) };
}
