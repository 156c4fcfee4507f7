import type { IncomingHttpHeaders } from 'node:http';
import type { Db } from '../db/pool.ts';
import type { Cause, Person } from '../http/request.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import type { Auth } from './auth.ts';
import { openSession } from './open-session.ts';

type Dependencies = { auth: Auth; db: Db; rates: RateLimiter<'prove_identity'> };
type Proof = { location: string; password: string; code: string | undefined };
type IdentityRequest = { caller: Person; headers: IncomingHttpHeaders; ip: string; cause: Cause };

/** A session may be left open, so sensitive changes repeat the checks of a sign-in. */
export async function proveIdentity(
  { auth, db, rates }: Dependencies,
  { caller, headers, ip, cause }: IdentityRequest,
  { location, password, code }: Proof,
): Promise<void> {
  await rates.spend('prove_identity', { person: caller.userId });
  const body = { email: caller.email, password, ...(code === undefined ? {} : { code }) };
  const proved = await openSession({ auth, db }, { body, headers, ip, cause }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'unauthenticated')
      throw badBody([{ location, message: 'is not your password' }]);
    throw error;
  });
  await db.deleteFrom('sessions').where('token', '=', auth.openToken(proved.answer.body.token)).execute();
}
