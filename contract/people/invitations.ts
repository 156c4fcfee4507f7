import Type from 'typebox';
import { AccountRole } from './accounts.ts';
import { endpoint } from '../endpoint.ts';
import { Role } from '../plans/entitlements.ts';
import { MailToken } from './people.ts';
import { Closed, Creator, Email, Id, IdParams, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

export const Invitation = Closed(
  {
    id: Id('inv'),
    email: Type.String({ description: 'The address that was invited.' }),
    role: Role,
    status: Type.Enum(['pending', 'accepted', 'declined', 'canceled', 'expired'], {
      type: 'string',
      description: 'Only a pending one can be accepted.',
    }),
    created_by: Creator,
    created_at: Timestamp('When it was sent.'),
    expires_at: Timestamp('When it can no longer be accepted.'),
  },
  { $id: 'Invitation', description: 'An invitation of the account.' },
);

const managed = { tag: 'People', auth: 'manager' } as const;

export const inviteMember = endpoint({
  ...managed,
  operationId: 'inviteMember',
  method: 'POST',
  path: '/api/auth/invitations',
  summary: 'Invite someone by e-mail',
  description:
    'Valid for 48 hours; a new invitation replaces an earlier one for the same address. Accepting needs a session with the invited address, verified or proved by the token of the mail. Signing up with that token joins at once.',
  idempotent: 422,
  body: Closed({
    email: Email,
    role: Type.Enum(['admin', 'member', 'reviewer'], { type: 'string', description: 'The role that the person gets.' }),
  }),
  rate: 'invite_member',
  location: '/api/auth/invitations/{invitation.id}',
  answers: { 201: { description: 'Invited; a mail will be sent.', schema: Closed({ invitation: Invitation }) } },
  errors: { 422: ['invalid_request'] },
});

export const listInvitations = endpoint({
  ...managed,
  operationId: 'listInvitations',
  method: 'GET',
  path: '/api/auth/invitations',
  summary: 'List the invitations of the account',
  query: Closed(page),
  whileViewing: true,
  answers: {
    200: {
      description: 'Newest first.',
      schema: Closed({ invitations: Type.Array(Invitation), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const cancelInvitation = endpoint({
  ...managed,
  operationId: 'cancelInvitation',
  method: 'DELETE',
  path: '/api/auth/invitations/{id}',
  summary: 'Cancel an invitation',
  whileSuspended: true,
  params: IdParams('inv'),
  answers: { 200: { description: 'Canceled.', schema: Closed({ invitation: Invitation }) } },
  errors: { 404: ['invitation_not_found'], 422: ['invalid_request'] },
});

export const acceptInvitation = endpoint({
  operationId: 'acceptInvitation',
  method: 'POST',
  path: '/api/auth/invitations/{id}/accept',
  tag: 'People',
  auth: 'person',
  unverified: true,
  summary: 'Accept an invitation',
  description:
    'The session switches to the joined account. With the token of the mail, your address is verified as well.',
  idempotent: 422,
  params: IdParams('inv'),
  body: Closed({ token: Type.Optional(MailToken) }),
  answers: { 200: { description: 'Joined.', schema: Closed({ account: AccountRole }) } },
  errors: { 403: ['email_unverified'], 404: ['invitation_not_found'], 422: ['invalid_request'] },
});

const ReceivedInvitation = Closed(
  {
    id: Id('inv'),
    account_name: Type.String({ description: 'The account that invites.' }),
    role: Role,
    status: Invitation.properties.status,
    created_by: Creator,
    created_at: Timestamp('When it was sent.'),
    expires_at: Timestamp('When it can no longer be accepted.'),
  },
  { $id: 'ReceivedInvitation', description: 'An invitation as the invited person sees it.' },
);

export const listMyInvitations = endpoint({
  operationId: 'listMyInvitations',
  method: 'GET',
  path: '/api/auth/my-invitations',
  tag: 'People',
  auth: 'person',
  summary: 'List the open invitations to your address',
  description: 'Empty until the address is verified.',
  query: Closed(page),
  answers: {
    200: {
      description: 'Newest first.',
      schema: Closed({ invitations: Type.Array(ReceivedInvitation), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const readInvitation = endpoint({
  operationId: 'readInvitation',
  method: 'GET',
  path: '/api/auth/invitations/{id}',
  tag: 'People',
  auth: 'person',
  summary: 'Read an invitation that you were sent',
  params: IdParams('inv'),
  answers: {
    200: {
      description: 'The invitation, and what prevents you from accepting it.',
      schema: Closed({
        invitation: ReceivedInvitation,
        obstacle: Nullable(
          Type.Enum(['other_address', 'email_unverified', 'not_open'], { type: 'string' }),
          'Null if you can accept it. `other_address`: it is for another address.',
        ),
      }),
    },
  },
  errors: { 404: ['invitation_not_found'] },
});

export const readMailedInvitation = endpoint({
  operationId: 'readMailedInvitation',
  method: 'POST',
  path: '/api/auth/invitations/read',
  tag: 'People',
  auth: 'public',
  summary: 'Read an invitation with the token of its mail',
  description: 'Needs no session, and changes nothing. Sign up with the same token to join.',
  idempotent: 'by_nature',
  body: Closed({ token: MailToken }),
  rate: 'use_mail_token',
  answers: {
    200: {
      description: 'The open invitation.',
      schema: Closed({
        invitation: ReceivedInvitation,
        email: Type.String({ description: 'The invited address.' }),
        signed_up: Type.Boolean({ description: 'Whether somebody has signed up with that address.' }),
      }),
    },
  },
  errors: { 404: ['invitation_not_found'], 422: ['invalid_request'] },
});

export const declineInvitation = endpoint({
  operationId: 'declineInvitation',
  method: 'POST',
  path: '/api/auth/invitations/{id}/decline',
  tag: 'People',
  auth: 'person',
  summary: 'Decline an invitation',
  idempotent: 422,
  params: IdParams('inv'),
  answers: { 200: { description: 'Declined.', schema: Closed({ invitation: ReceivedInvitation }) } },
  errors: { 403: ['email_unverified'], 404: ['invitation_not_found'], 422: ['invalid_request'] },
});
