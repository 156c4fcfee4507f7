import type { startSecondFactor as endpoint } from '../../contract/people/second-factor.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { badBody } from '../http/refusal.ts';
import { type Auth, askLibrary } from './auth.ts';
import { alreadyOn, signInAgain } from './second-factor.ts';

type Dependencies = { auth: Auth; catalog: Pick<Catalog, 'studio'>; rates: RateLimiter<'prove_identity'> };

/** The secret and recovery codes take effect once a code has confirmed them. */
export async function startSecondFactor(
  { auth, catalog, rates }: Dependencies,
  { caller, body, headers }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  await rates.spend('prove_identity', { person: caller.userId });
  if (caller.secondFactor) throw alreadyOn();
  const started = (await auth.api()).enableTwoFactor({
    body: { password: body.password, method: 'totp', issuer: catalog.studio.name },
    headers: auth.sessionHeaders(headers, caller.byCookie),
  });
  const answer = await askLibrary(started, {
    INVALID_PASSWORD: badBody([{ location: '/password', message: 'is not your password' }]),
    TOTP_ALREADY_ENABLED: alreadyOn(),
    UNAUTHORIZED: signInAgain(),
  });
  if (answer.method !== 'totp') throw new Error('The library did not answer with a TOTP secret.');
  const secret = new URL(answer.totpURI).searchParams.get('secret') ?? '';
  return { status: 200, body: { otpauth_url: answer.totpURI, secret, recovery_codes: answer.backupCodes } };
}
