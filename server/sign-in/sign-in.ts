import type { signIn as endpoint } from '../../contract/people/people.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { crossSite } from '../http/csrf.ts';
import { deviceOf } from './device.ts';
import { knowsNetwork, rememberNetwork } from './known-network.ts';
import { normalEmail } from './person.ts';
import { openSession, recordSignIn } from './open-session.ts';
import type { SignInDependencies } from './session.ts';

/**
 * Unknown addresses and wrong passwords get the same answer in the same time, because the library hashes for
 * both. Guesses at one person are limited together, except from networks where that person has signed in:
 * nobody can lock somebody else out.
 */
export async function signIn(
  dependencies: SignInDependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { db, publicUrl, rates, signer } = dependencies;
  const { body, headers, ip } = request;
  const refusal = crossSite(publicUrl, headers);
  if (refusal) throw refusal;
  const email = normalEmail(body.email);
  if (!(await knowsNetwork(db, signer, email, ip))) await rates.spend('guess_password', { person: email });
  const { userId, answer } = await openSession(dependencies, request);
  await recordSignIn(dependencies, request.cause, userId, answer.body.token);
  await rememberNetwork(db, signer, email, ip, deviceOf(headers['user-agent'] ?? null));
  return answer;
}
