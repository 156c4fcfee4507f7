import type { signIn as endpoint } from '../../contract/people.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import { crossSite } from '../http/csrf.ts';
import { knowsNetwork, rememberNetwork } from './known-network.ts';
import { normalEmail } from './person.ts';
import { openSession, recordSignIn } from './open-session.ts';
import type { SignInParts } from './session.ts';

/**
 * The same answer for an unknown address as for a wrong password; the library hashes in both cases, so also the same time.
 * Guesses at one person from everywhere are slowed together, but not where that person has signed in before: so nobody
 * locks somebody else out.
 */
export async function signIn(
  parts: SignInParts,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { db, publicUrl, rates, signer } = parts;
  const { body, headers, ip } = request;
  const refusal = crossSite(publicUrl, headers);
  if (refusal) throw refusal;
  const email = normalEmail(body.email);
  if (!(await knowsNetwork(db, signer, email, ip))) await rates.spend('guess_password', { person: email });
  const { userId, answer } = await openSession(parts, request);
  await recordSignIn(parts, request.cause, userId, answer.body.token);
  await rememberNetwork(db, signer, email, ip);
  return answer;
}
