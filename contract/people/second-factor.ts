import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Done, Password, SecondFactorCode, Session, sessionHeaders } from './people.ts';
import { Closed } from '../shapes.ts';

const person = { tag: 'People', auth: 'person' } as const;

export const startSecondFactor = endpoint({
  ...person,
  operationId: 'startSecondFactor',
  method: 'POST',
  path: '/api/auth/second-factor/start',
  summary: 'Set up a second factor',
  description:
    'Returns what an authenticator app needs, and recovery codes, each of which works once instead of a code. Nothing changes until a code confirms it; starting again replaces both.',
  idempotent: 'refused',
  body: Closed({ password: Password(1) }),
  answers: {
    200: {
      description: 'Shown this once.',
      schema: Closed({
        otpauth_url: Type.String({ description: 'For a QR code: `otpauth://totp/…`.' }),
        secret: Type.String({ description: 'The same secret, to type in (base32).' }),
        recovery_codes: Type.Array(Type.String(), {
          description: 'Each works once instead of a code. Shown only here.',
        }),
      }),
    },
  },
  errors: { 422: ['invalid_request'] },
});

export const confirmSecondFactor = endpoint({
  ...person,
  operationId: 'confirmSecondFactor',
  method: 'POST',
  path: '/api/auth/second-factor/confirm',
  summary: 'Switch the second factor on with a first code',
  description: 'From then on signing in needs a code. All sessions end; this one continues with the new token.',
  idempotent: 'refused',
  body: Closed({
    code: Type.String({
      $id: 'AuthenticatorCode',
      pattern: '^[0-9]{6}$',
      description: '6 digits. Spaces and dashes are ignored.',
      examples: ['123456'],
    }),
  }),
  answers: { 200: { description: 'Switched on.', schema: Session, headers: sessionHeaders } },
  errors: { 422: ['invalid_request'] },
});

export const endSecondFactor = endpoint({
  ...person,
  operationId: 'endSecondFactor',
  method: 'POST',
  path: '/api/auth/second-factor/end',
  summary: 'Switch the second factor off',
  description: 'Needs the password and a code. You get a mail.',
  idempotent: 'refused',
  body: Closed({ password: Password(1), code: SecondFactorCode }),
  answers: { 200: { description: 'Switched off.', schema: Done } },
  errors: { 403: ['second_factor_required'], 422: ['invalid_request'] },
});
