import type { signUp as endpoint } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { badBody } from '../http/refusal.ts';
import type { Auth } from './auth.ts';
import { crossSite } from '../http/csrf.ts';
import { verificationEmail } from './emails.ts';
import { createPerson, normalEmail } from './person.ts';
import { openSession } from './session.ts';

/** A user, their account and a session. The password is hashed before the transaction, which holds a connection. */
export async function signUp(
  db: Db,
  auth: Auth,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const refusal = crossSite(auth.publicUrl, request.headers);
  if (refusal) throw refusal;
  const email = normalEmail(request.body.email);
  const passwordHash = await auth.hashPassword(request.body.password);
  const made = await db
    .transaction()
    .execute((trx) => createPerson(trx, { name: request.body.name, email, passwordHash }));
  if (!made) throw badBody([{ location: '/email', message: 'is already in use; sign in, or reset the password' }]);
  auth.sendInBackground(verificationEmail(auth.publicUrl, email, await auth.makeVerificationToken(email)));
  return openSession(auth, request);
}
