import { sql } from 'kysely';
import type { listMembers as endpoint } from '../../contract/people/members.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { membersOf, showMember } from './member.ts';
import type { Db } from '../db/pool.ts';

export async function listMembers(
  { db, signer }: { db: Db; signer: Signer },
  { caller: { accountId }, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listMembers', accountId];
  const from = readCursor(signer, scope, cursor);
  const rows = await membersOf(db, accountId)
    .$if(from !== null, (rows) => rows.where(sql<boolean>`(member.created_at, member.id) > (${from?.at}, ${from?.id})`))
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { members: page.map(showMember), next_cursor } };
}
