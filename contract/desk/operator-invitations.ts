import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { defaultHeldLimit, HeldLimit, OperatorRole, ServiceFamilies } from './operators.ts';
import { MailToken, Password, SecondFactorCode, Session, sessionHeaders } from '../people/people.ts';
import { Closed, Creator, Email, Id, IdParams, Name, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

const offer = {
  role: OperatorRole,
  created_by: Creator,
  expires_at: Timestamp('When it can no longer be accepted.'),
};

const OperatorInvitation = Closed(
  {
    id: Id('oinv'),
    email: Type.String({ description: 'The address that was invited.' }),
    ...offer,
    service_families: Nullable(Type.Array(Type.String()), 'The only families that they will claim; null for all.'),
    held_limit: HeldLimit,
    created_at: Timestamp('When it was sent.'),
  },
  { $id: 'OperatorInvitation', description: 'An open invitation to become an operator.' },
);

const path = '/api/operator/v1/operator-invitations';
const managed = { tag: 'Desk', auth: 'operator', right: 'manage_studio' } as const;
const schema = Closed({ operator_invitation: OperatorInvitation });

export const inviteOperator = endpoint({
  ...managed,
  operationId: 'inviteOperator',
  method: 'POST',
  path,
  summary: 'Invite an operator by e-mail',
  description:
    'Valid for 48 hours; a new invitation replaces the open one for the same address, and all that you sent end when you stop being an owner. The invited person accepts with their password and, if they have one, their second factor. The address of an operator is refused.',
  csrf: true,
  idempotent: 422,
  body: Closed(
    {
      email: Email,
      role: OperatorRole,
      service_families: Type.Optional(ServiceFamilies),
      held_limit: Type.Optional(HeldLimit),
    },
    { examples: [{ email: 'mira@example.com', role: 'maker', held_limit: defaultHeldLimit }] },
  ),
  rate: 'invite_member',
  location: path,
  answers: { 201: { description: 'Invited; a mail will be sent.', schema } },
  errors: { 403: ['limit_reached'], 422: ['invalid_request', 'unsupported_service'] },
});

export const listOperatorInvitations = endpoint({
  ...managed,
  operationId: 'listOperatorInvitations',
  method: 'GET',
  path,
  summary: 'List the open invitations of operators',
  query: Closed(page),
  answers: {
    200: {
      description: 'Newest first.',
      schema: Closed({ operator_invitations: Type.Array(OperatorInvitation), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const cancelOperatorInvitation = endpoint({
  ...managed,
  operationId: 'cancelOperatorInvitation',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Cancel the invitation of an operator',
  csrf: true,
  params: IdParams('oinv'),
  answers: { 200: { description: 'Canceled. Its link no longer works.', schema } },
  errors: { 404: ['invitation_not_found'] },
});

const byMail = { tag: 'Desk', auth: 'public', method: 'POST', rate: 'use_mail_token' } as const;

export const readMailedOperatorInvitation = endpoint({
  ...byMail,
  operationId: 'readMailedOperatorInvitation',
  path: '/api/auth/operator-invitations/read',
  summary: 'Read the invitation of an operator with the token of its mail',
  description: 'Needs no session, and changes nothing.',
  idempotent: 'by_nature',
  body: Closed({ token: MailToken }),
  answers: {
    200: {
      description: 'The open invitation.',
      schema: Closed({
        operator_invitation: Closed(offer, { description: 'What is offered.' }),
        email: Type.String({ description: 'The invited address.' }),
        signed_up: Type.Boolean({ description: 'Whether somebody has signed up with that address.' }),
      }),
    },
  },
  errors: { 404: ['invitation_not_found'], 422: ['invalid_request'] },
});

export const acceptOperatorInvitation = endpoint({
  ...byMail,
  operationId: 'acceptOperatorInvitation',
  path: '/api/auth/operator-invitations/accept',
  summary: 'Become an operator with the token of the mail',
  description:
    'Signs you in as the invited person, whatever session the request has; their other sessions end. Somebody who has signed up with the invited address sends their password and, with a second factor, its code. Anybody else sends a name and a new password, and is signed up. The token proves the address. A browser on another origin is refused.',
  idempotent: 'refused',
  body: Closed({
    token: MailToken,
    password: Password(1),
    code: SecondFactorCode,
    name: Type.Optional(Name('Mira Okafor')),
  }),
  answers: { 200: { description: 'An operator, signed in.', schema: Session, headers: sessionHeaders } },
  errors: {
    401: ['unauthenticated'],
    403: ['csrf_token_invalid', 'second_factor_required'],
    404: ['invitation_not_found'],
    422: ['invalid_request'],
  },
});
