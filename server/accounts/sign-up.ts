import type { signUp as endpoint } from '../../contract/people.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { showId } from '../lib/id.ts';
import type { Request } from '../http/request.ts';
import { badBody } from '../http/refusal.ts';
import { passwordFault } from './weak-password.ts';
import { crossSite } from '../http/csrf.ts';
import { queueMail } from '../mail/outbox.ts';
import { transact } from '../db/transact.ts';
import { createPerson, normalEmail } from './person.ts';
import { rememberNetwork } from './known-network.ts';
import { openSession, recordSignIn } from './open-session.ts';
import type { SignInParts } from './session.ts';

/** A user, their account and a session. The password is hashed before the transaction, which holds a connection. */
export async function signUp(
  parts: SignInParts,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { auth, db, publicUrl, signer } = parts;
  const { body, headers, ip, cause } = request;
  const refusal = crossSite(publicUrl, headers);
  if (refusal) throw refusal;
  const fault = passwordFault('/password', body.password, body);
  if (fault) throw badBody([fault]);
  const email = normalEmail(body.email);
  const passwordHash = await auth.hashPassword(body.password);
  await transact(db, async (trx) => {
    const person = await createPerson(trx, { name: body.name, email, passwordHash });
    if (person === null)
      throw badBody([{ location: '/email', message: 'is already in use; sign in, or reset the password' }]);
    const subject = showId('user', person.id);
    await appendAudit(trx, { ...cause, userId: person.id }, { action: 'user.created', subject, accountId: null });
    await queueMail(trx, { kind: 'verify_email', userId: person.id, address: email });
  });
  await rememberNetwork(db, signer, email, ip);
  const { userId, answer } = await openSession(parts, request);
  await recordSignIn(db, request.cause, userId);
  return answer;
}
