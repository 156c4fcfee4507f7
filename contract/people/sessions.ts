import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Role, suspended_since } from '../plans/entitlements.ts';
import { OperatorRole } from '../desk/operators.ts';
import { Done, MailToken, Password, SecondFactorCode, User } from './people.ts';
import { ViewedAccount } from './viewed-account.ts';
import { Closed, Email, Id, IdParams, Name, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

export const person = { tag: 'People', auth: 'person', unverified: true } as const;

const CurrentSession = Closed(
  {
    user: Closed(
      {
        ...User.properties,
        operator: Type.Boolean({ description: 'Whether they can use the desk.' }),
        operator_role: Nullable(OperatorRole, 'Their role at the desk; null for people who are not operators.'),
        second_factor: Type.Boolean({ description: 'Whether sign-in asks for a code too.' }),
        name_needed: Type.Boolean({
          description:
            'Whether the person has yet to choose a name: they reset the password of an address that somebody else signed up with. `PATCH /api/auth/profile` sets it.',
        }),
      },
      { description: 'The person of the session.' },
    ),
    account: Nullable(
      Closed({ id: Id('acct'), name: Type.String({ description: 'The name of the account.' }), suspended_since }),
      'The account that the session acts for; null if the person belongs to none.',
    ),
    role: Nullable(Role, 'Their role in it.'),
    view: Nullable(ViewedAccount, 'The account that the session of an operator views now; null for everybody else.'),
    session_id: Id('sess'),
    csrf_token: Type.Optional(
      Type.String({ description: 'Only for cookie sessions: send it as `x-service-csrf-token`.' }),
    ),
  },
  { $id: 'CurrentSession', description: 'The session of the request.' },
);

export const ListedSession = Closed(
  {
    id: Id('sess'),
    current: Type.Boolean({ description: 'Whether it is the current session.' }),
    device: Type.String({ description: 'The program, such as `Firefox on Linux`.' }),
    address: Nullable(Type.String(), 'The network address that it was opened from.'),
    created_at: Timestamp('When it was opened.'),
    last_used_at: Timestamp('When it was last used, to the hour.'),
    expires_at: Timestamp('When it ends at the latest; without use it ends after 14 days.'),
  },
  { $id: 'ListedSession', description: 'A session of the person.' },
);

export const readSession = endpoint({
  ...person,
  operationId: 'readSession',
  method: 'GET',
  path: '/api/auth/session',
  summary: 'Read who is signed in',
  description: 'Also for a person who belongs to no account.',
  answers: { 200: { description: 'The person, and the account that the session acts for.', schema: CurrentSession } },
  errors: {},
});

export const listSessions = endpoint({
  ...person,
  operationId: 'listSessions',
  method: 'GET',
  path: '/api/auth/sessions',
  summary: 'List your sessions',
  query: Closed(page),
  answers: {
    200: {
      description: 'Last used first.',
      schema: Closed({ sessions: Type.Array(ListedSession), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const endSession = endpoint({
  ...person,
  operationId: 'endSession',
  method: 'DELETE',
  path: '/api/auth/sessions/{id}',
  summary: 'End one of your sessions',
  description: 'At once, in every process.',
  params: IdParams('sess'),
  answers: { 200: { description: 'Ended.', schema: Closed({ session: ListedSession }) } },
  errors: { 404: ['session_not_found'], 422: ['invalid_request'] },
});

export const changePassword = endpoint({
  ...person,
  operationId: 'changePassword',
  method: 'POST',
  path: '/api/auth/change-password',
  summary: 'Change your password',
  description: 'Ends your other sessions, and sends you a mail by which you can undo it for three days.',
  idempotent: 'refused',
  body: Closed({ current_password: Password(1), new_password: Password(10), code: SecondFactorCode }),
  answers: { 200: { description: 'Changed.', schema: Done } },
  errors: { 403: ['second_factor_required'], 422: ['invalid_request'] },
});

export const changeProfile = endpoint({
  ...person,
  operationId: 'changeProfile',
  method: 'PATCH',
  path: '/api/auth/profile',
  summary: 'Change your name',
  idempotent: 422,
  body: Closed({ name: Type.Optional(Name('Ada Lovelace')) }),
  answers: {
    200: {
      description: 'Changed.',
      schema: Closed({ user: User }),
    },
  },
  errors: { 422: ['invalid_request'] },
});

export const changeEmail = endpoint({
  ...person,
  operationId: 'changeEmail',
  method: 'POST',
  path: '/api/auth/change-email',
  summary: 'Change your e-mail address',
  description:
    'Sends a mail to the new address. Its button makes the change, in this session, within an hour (`POST /api/auth/change-email/confirm`). The old address, if it was verified, gets a mail and can undo it for three days.',
  idempotent: 'refused',
  body: Closed({ email: Email, password: Password(1), code: SecondFactorCode }),
  rate: 'send_mail',
  answers: { 200: { description: 'A mail is sent to the new address.', schema: Done } },
  errors: { 403: ['second_factor_required'], 422: ['invalid_request'] },
});

export const confirmEmailChange = endpoint({
  ...person,
  operationId: 'confirmEmailChange',
  method: 'POST',
  path: '/api/auth/change-email/confirm',
  summary: 'Confirm your new e-mail address with the token of the mail',
  description: 'In the session that asked for the change. The address is then verified.',
  idempotent: 'refused',
  body: Closed({ token: MailToken }),
  rate: 'use_mail_token',
  answers: { 200: { description: 'Changed.', schema: Closed({ user: User }) } },
  errors: { 422: ['invalid_request'] },
});

export const undoChange = endpoint({
  tag: 'People',
  auth: 'public',
  operationId: 'undoChange',
  method: 'POST',
  path: '/api/auth/undo-change',
  summary: 'Undo a change of address, password or second factor',
  description:
    'Works for three days. Restores the old address and ends what was made in the person’s name since the change: sessions, a second factor, API keys, webhook endpoints, invitations and the members who joined by them. The password ends too; a mail lets them choose another.',
  idempotent: 'refused',
  body: Closed({ token: MailToken }),
  rate: 'use_mail_token',
  answers: { 200: { description: 'Undone.', schema: Done } },
  errors: { 422: ['invalid_request'] },
});
