import type { listInvitations as endpoint } from '../../contract/invitations.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import { invitationsOf, showInvitation } from './invitation.ts';
import type { Db } from '../db/pool.ts';

export async function listInvitations(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const rows = await invitationsOf(db, caller.accountId).orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
  return { status: 200, body: { invitations: rows.map(showInvitation) } };
}
