import type { listMyInvitations as endpoint } from '../../contract/invitations.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Db } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { openInvitationsOf, showReceived } from './received-invitation.ts';

/** An unverified address sees no invitations. */
export async function listMyInvitations(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const rows = caller.emailVerified ? await openInvitationsOf(db, caller).execute() : [];
  return { status: 200, body: { invitations: rows.map(showReceived) } };
}
