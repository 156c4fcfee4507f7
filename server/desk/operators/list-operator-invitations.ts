import { sql } from 'kysely';
import type { listOperatorInvitations as endpoint } from '../../../contract/desk/operator-invitations.ts';
import { byCreation, cutPage, readCursor } from '../../db/cursor.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import type { Signer } from '../../lib/signer.ts';
import { operatorInvitations, showOperatorInvitation } from '../../members/operator-invitation.ts';

export async function listOperatorInvitations(
  { db, signer }: { db: Db; signer: Signer },
  { query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listOperatorInvitations'];
  const from = readCursor(signer, scope, cursor);
  const rows = await operatorInvitations(db)
    .$if(from !== null, (rows) =>
      rows.where(sql<boolean>`(invitation.created_at, invitation.id) < (${from?.at}, ${from?.id})`),
    )
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { operator_invitations: page.map(showOperatorInvitation), next_cursor } };
}
