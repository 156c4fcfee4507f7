import type { signUp as endpoint } from '../../contract/people/people.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { showId } from '../lib/id.ts';
import { transact, type Trx } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { badBody } from '../http/refusal.ts';
import { passwordFault } from '../sign-in/weak-password.ts';
import { crossSite } from '../http/csrf.ts';
import { joinAccount, lockOpenInvitation, type OpenInvitation } from '../members/join-account.ts';
import { queueMail } from '../mail/outbox.ts';
import { createPerson, normalEmail } from '../sign-in/person.ts';
import { rememberNetwork } from '../sign-in/known-network.ts';
import { openSession, recordSignIn } from '../sign-in/open-session.ts';
import type { SignInDependencies } from '../sign-in/session.ts';

/** An invitation token also makes them a member. Hashes before the transaction holds a connection. */
export async function signUp(
  dependencies: SignInDependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { auth, db, publicUrl, signer } = dependencies;
  const { body, headers, ip, cause } = request;
  const refusal = crossSite(publicUrl, headers);
  if (refusal) throw refusal;
  const fault = passwordFault('/password', body.password, body);
  if (fault) throw badBody([fault]);
  const email = normalEmail(body.email);
  const passwordHash = await auth.hashPassword(body.password);
  await transact(db, async (trx) => {
    const invitation = await invitationOf(trx, body.invitation_token, email);
    const verified = invitation !== null;
    const person = await createPerson(trx, {
      name: body.name,
      accountName: body.account_name,
      email,
      passwordHash,
      verified,
    });
    if (person === null)
      throw badBody([{ location: '/email', message: 'is already in use; sign in or reset the password' }]);
    const own = { ...cause, userId: person.id };
    const subject = showId('user', person.id);
    await appendAudit(trx, own, { action: 'user.created', subject, accountId: null });
    if (invitation === null) return queueMail(trx, { kind: 'verify_email', userId: person.id, address: email });
    await appendAudit(trx, own, { action: 'user.email_verified', subject, accountId: null });
    await joinAccount(trx, invitation, person.id, own);
  });
  await rememberNetwork(db, signer, email, ip);
  const { userId, answer } = await openSession(dependencies, request);
  await recordSignIn(dependencies, request.cause, userId, answer.body.token);
  return answer;
}

/** The token proves that the person reads the mail of the invited address. */
async function invitationOf(trx: Trx, token: string | undefined, email: string): Promise<OpenInvitation | null> {
  if (token === undefined) return null;
  const invitation = await lockOpenInvitation(trx, { token });
  if (!invitation)
    throw badBody([
      { location: '/invitation_token', message: 'does not belong to an open invitation; ask for a new one' },
    ]);
  if (invitation.email !== email) throw badBody([{ location: '/email', message: 'is not the invited address' }]);
  return invitation;
}
