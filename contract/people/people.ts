import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed, Email, Id, Name } from '../shapes.ts';

/** `1` is for passwords that are only compared. */
export const Password = (minLength: 10 | 1) =>
  Type.String({
    $id: minLength === 1 ? 'CurrentPassword' : 'NewPassword',
    minLength,
    maxLength: 128,
    description: minLength === 1 ? 'The password of the person.' : 'The new password: 10 to 128 characters.',
    examples: ['correct horse battery'],
  });

export const MailToken = Type.String({
  $id: 'MailToken',
  description: 'The token in the link of a mail. It works once.',
  minLength: 1,
  maxLength: 200,
  examples: ['XkV0c2hTQ1p4b2RzYWdlZQ'],
});

/** Required from people with a second factor. */
export const SecondFactorCode = Type.Optional(
  Type.String({
    $id: 'SecondFactorCode',
    minLength: 6,
    maxLength: 20,
    description:
      'Required for people with a second factor: the code of their authenticator, or a recovery code. Spaces, dashes and case are ignored.',
    examples: ['123456'],
  }),
);

export const User = Closed(
  {
    id: Id('user'),
    name: Type.String({ description: 'The name of the person, at most 100 characters.' }),
    email: Type.String({ description: 'The address that the person signs in with.' }),
    email_verified: Type.Boolean({ description: 'Whether the person has proved that the address is theirs.' }),
  },
  { $id: 'User', description: 'A person who can sign in.' },
);

export const Session = Closed({
  token: Type.String({
    description: 'Send it as `Authorization: Bearer`. The headers carry it too, once as a cookie.',
  }),
  user: User,
});

export const sessionHeaders = {
  'set-auth-token': 'The session token.',
  'Set-Cookie': 'The session cookie: HttpOnly, SameSite=Lax.',
};

export const Done = Closed(
  { done: Type.Literal(true, { description: 'Always true.' }) },
  { $id: 'Done', description: 'It is done.' },
);

const people = { tag: 'People', auth: 'public' } as const;

export const signUp = endpoint({
  ...people,
  operationId: 'signUp',
  method: 'POST',
  path: '/api/auth/sign-up/email',
  summary: 'Sign up',
  description:
    'Creates a user, an account owned by that user, and a session, and sends a mail to verify the address. The account is called `account_name`, or as the person. Until it is verified, the session can read, and change only the person. Easily guessed passwords are refused. With the token from an invitation’s mail, the address, which must be the invited one, is verified at once; the person joins the inviting account, and the session acts for it. A browser on another origin is refused.',
  idempotent: 'refused',
  body: Closed({
    name: Name('Ada Lovelace'),
    email: Email,
    password: Password(10),
    account_name: Type.Optional(Name('Rise Bakery')),
    invitation_token: Type.Optional(MailToken),
  }),
  rate: 'sign_up',
  answers: { 200: { description: 'Signed up and in.', schema: Session, headers: sessionHeaders } },
  errors: { 403: ['csrf_token_invalid'], 422: ['invalid_request'] },
});

export const signIn = endpoint({
  ...people,
  operationId: 'signIn',
  method: 'POST',
  path: '/api/auth/sign-in/email',
  summary: 'Sign in',
  description:
    'The session lasts 30 days, and ends after 14 days without use. A person with a second factor also sends its code. Attempts on one person share a limit, except from networks where they have signed in before. A browser on another origin is refused.',
  idempotent: 'refused',
  body: Closed({ email: Email, password: Password(1), code: SecondFactorCode }),
  rate: 'sign_in',
  answers: { 200: { description: 'Signed in.', schema: Session, headers: sessionHeaders } },
  errors: {
    401: ['unauthenticated'],
    403: ['csrf_token_invalid', 'second_factor_required'],
    422: ['invalid_request'],
  },
});

export const signOut = endpoint({
  operationId: 'signOut',
  method: 'POST',
  path: '/api/auth/sign-out',
  tag: 'People',
  auth: 'person',
  unverified: true,
  summary: 'Sign out',
  description: 'Ends the session in every process at once, for cookie and bearer token.',
  idempotent: 'refused',
  answers: { 200: { description: 'Signed out.', schema: Done } },
  errors: { 422: ['invalid_request'] },
});

export const requestPasswordReset = endpoint({
  ...people,
  operationId: 'requestPasswordReset',
  method: 'POST',
  path: '/api/auth/request-password-reset',
  summary: 'Ask for a password reset by e-mail',
  description: 'Gives the same answer for unknown addresses. An address gets at most 5 mails an hour.',
  idempotent: 'refused',
  body: Closed({ email: Email }),
  rate: 'send_mail',
  answers: { 200: { description: 'If the address is known, a mail is sent.', schema: Done } },
  errors: { 422: ['invalid_request'] },
});

export const resetPassword = endpoint({
  ...people,
  operationId: 'resetPassword',
  method: 'POST',
  path: '/api/auth/reset-password',
  summary: 'Set a new password with the token of the mail',
  description:
    'The token works once, for an hour. All sessions of the user end, and the address is verified. If it never was before, everything made earlier ends too: API keys, invitations, and other members of the accounts that the user owns; names are cleared, and the session’s `name_needed` says so.',
  idempotent: 'refused',
  body: Closed({ token: MailToken, new_password: Password(10) }),
  rate: 'use_mail_token',
  answers: { 200: { description: 'The password is changed.', schema: Done } },
  errors: { 422: ['invalid_request'] },
});

export const sendVerificationEmail = endpoint({
  operationId: 'sendVerificationEmail',
  method: 'POST',
  path: '/api/auth/send-verification-email',
  tag: 'People',
  auth: 'person',
  unverified: true,
  summary: 'Send the mail that verifies your address',
  rate: 'send_mail',
  idempotent: 'refused',
  answers: { 200: { description: 'A mail is sent, unless the address is already verified.', schema: Done } },
  errors: { 422: ['invalid_request'] },
});

export const verifyEmail = endpoint({
  operationId: 'verifyEmail',
  method: 'POST',
  path: '/api/auth/verify-email',
  tag: 'People',
  auth: 'visitor',
  unverified: true,
  summary: 'Verify an address with the token of the mail',
  description:
    'In the session of the person who signed up, or with their password; the token alone verifies nothing, and no session is opened. It works once, for an hour. The link in the mail leads to a page with a button that sends this.',
  idempotent: 'refused',
  body: Closed({ token: MailToken, password: Type.Optional(Password(1)) }),
  rate: 'use_mail_token',
  answers: { 200: { description: 'The address is verified.', schema: Done } },
  errors: { 401: ['unauthenticated'], 403: ['csrf_token_invalid'], 422: ['invalid_request'] },
});
