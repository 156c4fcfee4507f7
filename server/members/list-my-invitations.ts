import { sql } from 'kysely';
import type { listMyInvitations as endpoint } from '../../contract/people/invitations.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { openInvitationsOf, showReceived } from './received-invitation.ts';

/** An unverified address sees no invitations. */
export async function listMyInvitations(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listMyInvitations', caller.userId, caller.email];
  const from = readCursor(signer, scope, cursor);
  const rows = caller.emailVerified
    ? await openInvitationsOf(db, caller)
        .select('invitation.created_at')
        .$if(from !== null, (rows) =>
          rows.where(sql<boolean>`(invitation.created_at, invitation.id) < (${from?.at}, ${from?.id})`),
        )
        .limit(limit + 1)
        .execute()
    : [];
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { invitations: page.map(showReceived), next_cursor } };
}
