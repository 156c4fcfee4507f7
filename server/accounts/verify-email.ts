import type { verifyEmail as endpoint } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import { badRequest } from '../http/refusal.ts';
import { type Auth, askLibrary } from './auth.ts';

/** A GET, so that a link can be followed; following it twice does no harm and gives nobody a session. */
export async function verifyEmail(
  auth: Auth,
  { query: { token } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  await verifyAddress(auth, token);
  return { status: 200, body: { done: true } };
}

/** The address that the token names counts as verified from now on. Throws 400 for a token that does not hold. */
export async function verifyAddress(auth: Auth, token: string): Promise<void> {
  const unknown = badRequest('token', 'is not valid, or has expired; ask for a new mail');
  const verified = auth.api.verifyEmail({ query: { token } });
  await askLibrary(verified, { INVALID_TOKEN: unknown, TOKEN_EXPIRED: unknown, USER_NOT_FOUND: unknown });
}
