import type { IncomingHttpHeaders } from 'node:http';
import type { signIn as line } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Ask } from '../accounts/ask.ts';
import { Refusal } from '../kit/refusal.ts';
import { type Auth, askLibrary } from './auth.ts';
import { crossSite } from './csrf.ts';
import { normalEmail, showUser } from './person.ts';

/** The same answer for an unknown address as for a wrong password; the library hashes in both cases, so also the same time. */
export async function signIn(auth: Auth, ask: Ask<typeof line>): Promise<AnswerOf<typeof line>> {
  const refusal = crossSite(auth.publicUrl, ask.headers);
  if (refusal) throw refusal;
  return openSession(auth, ask);
}

type SignIn = { body: { email: string; password: string }; headers: IncomingHttpHeaders; ip: string };

/** Always a new session: no cookie of the request is looked at, so none that somebody planted is adopted. */
export async function openSession(auth: Auth, { body, headers, ip }: SignIn): Promise<AnswerOf<typeof line>> {
  const signedIn = auth.api.signInEmail({
    body: { email: normalEmail(body.email), password: body.password },
    headers: auth.headersFor(ip, headers['user-agent']),
    returnHeaders: true,
  });
  const { response, headers: given } = await askLibrary(signedIn, {
    INVALID_EMAIL_OR_PASSWORD: new Refusal('unauthenticated', {
      message: 'The e-mail address or the password is wrong.',
      action: 'Check both, or ask for a new password with POST /api/auth/request-password-reset.',
    }),
  });
  const token = given.get('set-auth-token') ?? '';
  return {
    status: 200,
    body: { token, user: showUser(response.user) },
    headers: { 'set-auth-token': token, 'set-cookie': given.getSetCookie() },
  };
}
