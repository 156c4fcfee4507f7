import type { readInvitation as endpoint } from '../../contract/people/invitations.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { readId } from '../lib/id.ts';
import { noInvitation, receivedInvitations, showReceived } from './received-invitation.ts';

export async function readInvitation(
  { db }: { db: Db },
  { caller, params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const id = readId('inv', params.id);
  const row = id && (await receivedInvitations(db).where('invitation.id', '=', id).executeTakeFirst());
  if (!row) throw noInvitation();
  const obstacle =
    row.email !== caller.email
      ? 'other_address'
      : !caller.emailVerified
        ? 'email_unverified'
        : row.status !== 'pending'
          ? 'not_open'
          : null;
  return { status: 200, body: { invitation: showReceived(row), obstacle } };
}
