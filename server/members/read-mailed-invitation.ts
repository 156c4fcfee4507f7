import { sql } from 'kysely';
import type { readMailedInvitation as endpoint } from '../../contract/people/invitations.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { digestOf } from '../mail/mail-token.ts';
import { isTaken } from '../sign-in/person.ts';
import { noInvitation, receivedInvitations, showReceived } from './received-invitation.ts';

/** The token proves that the caller reads the mail of the invited address. */
export async function readMailedInvitation(
  { db }: { db: Db },
  { body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const row = await receivedInvitations(db)
    .where('invitation.token_digest', '=', digestOf(body.token))
    .where('invitation.status', '=', 'pending')
    .where('invitation.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!row) throw noInvitation();
  const { email } = row;
  return { status: 200, body: { invitation: showReceived(row), email, signed_up: await isTaken(db, email) } };
}
