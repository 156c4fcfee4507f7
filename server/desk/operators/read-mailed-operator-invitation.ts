import type { readMailedOperatorInvitation as endpoint } from '../../../contract/desk/operator-invitations.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { noOperatorInvitation, showOffer, withToken } from '../../members/operator-invitation.ts';
import { isTaken } from '../../sign-in/person.ts';

/** The token proves that the caller reads the mail of the invited address. */
export async function readMailedOperatorInvitation(
  { db }: { db: Db },
  { body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const row = await withToken(db, body.token).executeTakeFirst();
  if (!row) throw noOperatorInvitation();
  const { email } = row;
  return { status: 200, body: { operator_invitation: showOffer(row), email, signed_up: await isTaken(db, email) } };
}
