import { TOTP, URI } from 'otpauth';
import { expect } from 'vitest';
import type { Service } from './harness.ts';
import { goodPassword, type TestPerson } from './people.ts';

/** An authenticator app: returns the current code, or the one of a later 30-second period. */
export type Authenticator = (later?: number) => string;

export function authenticatorOf(otpauthUrl: string): Authenticator {
  const totp = URI.parse(otpauthUrl);
  if (!(totp instanceof TOTP)) throw new Error('This is no TOTP.');
  return (later = 0) => totp.generate({ timestamp: Date.now() + later * 30_000 });
}

/** Turns on a second factor. The session continues under a new token. */
export async function addSecondFactor(service: Service, person: TestPerson) {
  const started = await service.call('POST', '/api/auth/second-factor/start', {
    as: person.token,
    body: { password: goodPassword },
  });
  expect(started.status).toBe(200);
  const { otpauth_url, recovery_codes } = started.body;
  const phone = authenticatorOf(otpauth_url);
  const confirm = () =>
    service.call('POST', '/api/auth/second-factor/confirm', { as: person.token, body: { code: phone(-1) } });
  let confirmed = await confirm();
  // Near the end of a period, or on a busy machine, the previous code is two periods old when it arrives.
  if (confirmed.status === 422) confirmed = await confirm();
  expect([confirmed.status, confirmed.body.error], 'the second factor is on').toEqual([200, undefined]);
  return { phone, recoveryCodes: recovery_codes as string[], token: confirmed.body.token as string, confirmed };
}

export const signInWith = (service: Service, { email }: TestPerson, code?: string, password = goodPassword) =>
  service.call('POST', '/api/auth/sign-in/email', {
    body: { email, password, ...(code === undefined ? {} : { code }) },
  });
