import type { inviteMember as endpoint } from '../../contract/people/invitations.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { badBody } from '../http/refusal.ts';
import { showInvitation } from './invitation.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { lockMembers } from './member.ts';
import { makeInvitation } from './new-invitation.ts';
import { normalEmail } from '../sign-in/person.ts';

/** A new invitation replaces the pending one for the same address. */
export async function inviteMember(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  const { accountId, userId: inviterId } = caller;
  const email = normalEmail(body.email);
  return withIdempotencyKey(db, request, async (trx) => {
    // Locked, so that an inviter who is being removed leaves no invitation behind.
    const members = await lockMembers(trx, caller);
    if (members.some((member) => member.email === email))
      throw badBody([{ location: '/email', message: 'already belongs to a member' }]);
    const made = await makeInvitation(trx, { accountId, email, role: body.role, inviterId }, cause);
    return { status: 201, body: { invitation: showInvitation(made) } };
  });
}
