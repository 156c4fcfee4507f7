import type { IncomingHttpHeaders } from 'node:http';
import type { Db } from '../db/pool.ts';
import type { Person } from '../http/caller.ts';
import type { Cause } from '../http/cause.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import type { Auth } from './auth.ts';
import { openSession } from './open-session.ts';

type Parts = { auth: Auth; db: Db; rates: RateLimiter<'prove_identity'> };
type Proof = { location: string; password: string; code: string | undefined };
type Asked = { caller: Person; headers: IncomingHttpHeaders; ip: string; cause: Cause };

/**
 * A session can be left open on a desk, so what would take the person over asks for the password, and for a code where they
 * have a second factor. It is proved as at a sign-in, with its counts; the session that this opens ends at once.
 */
export async function proveIdentity(
  { auth, db, rates }: Parts,
  { caller, headers, ip, cause }: Asked,
  { location, password, code }: Proof,
): Promise<void> {
  await rates.spend('prove_identity', { person: caller.userId });
  const body = { email: caller.email, password, ...(code === undefined ? {} : { code }) };
  const proved = await openSession({ auth, db }, { body, headers, ip, cause }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'unauthenticated')
      throw badBody([{ location, message: 'is not your password' }]);
    throw error;
  });
  await db.deleteFrom('auth.session').where('token', '=', auth.openToken(proved.answer.body.token)).execute();
}
