import { sql } from 'kysely';
import type { listInvitations as endpoint } from '../../contract/people/invitations.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { invitationsOf, showInvitation } from './invitation.ts';
import type { Db } from '../db/pool.ts';

export async function listInvitations(
  { db, signer }: { db: Db; signer: Signer },
  { caller: { accountId }, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listInvitations', accountId];
  const from = readCursor(signer, scope, cursor);
  const rows = await invitationsOf(db, accountId)
    .select('created_at')
    .$if(from !== null, (rows) => rows.where(sql<boolean>`(created_at, id) < (${from?.at}, ${from?.id})`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { invitations: page.map(showInvitation), next_cursor } };
}
