import type { signIn as endpoint } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import type { Auth } from './auth.ts';
import { crossSite } from '../http/csrf.ts';
import { openSession } from './session.ts';

/** The same answer for an unknown address as for a wrong password; the library hashes in both cases, so also the same time. */
export async function signIn(auth: Auth, request: Request<typeof endpoint>): Promise<AnswerOf<typeof endpoint>> {
  const refusal = crossSite(auth.publicUrl, request.headers);
  if (refusal) throw refusal;
  return openSession(auth, request);
}
