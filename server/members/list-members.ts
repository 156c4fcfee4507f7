import type { listMembers as endpoint } from '../../contract/members.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import { membersOf, showMember } from './member.ts';
import type { Db } from '../db/pool.ts';

export async function listMembers(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const members = await membersOf(db, caller.accountId).execute();
  return { status: 200, body: { members: members.map(showMember) } };
}
