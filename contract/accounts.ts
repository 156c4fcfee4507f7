import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Role } from './entitlements.ts';
import { ApiKey } from './keys.ts';
import { Closed, Email, Id, IdParams, Name, Nullable, Timestamp } from './shapes.ts';
import { WebhookEndpoint } from './webhooks.ts';

const AccountRole = Closed(
  {
    id: Id('acct'),
    name: Type.String(),
    role: Role,
    active: Type.Boolean({ description: 'Whether this session acts for it.' }),
  },
  { $id: 'AccountRole', description: 'An account that the user belongs to.' },
);
export const Member = Closed(
  {
    id: Id('mem'),
    user: Closed({ id: Id('user'), name: Type.String(), email: Type.String() }),
    role: Role,
    created_at: Timestamp('When the user joined.'),
  },
  { $id: 'Member' },
);
const Invitation = Closed(
  {
    id: Id('inv'),
    email: Type.String(),
    role: Role,
    status: Type.Enum(['pending', 'accepted', 'declined', 'canceled', 'expired'], { type: 'string' }),
    expires_at: Timestamp('When it can no longer be accepted.'),
  },
  { $id: 'Invitation' },
);

/** What a member made that gives access, and what became of it when they lost the right to it. */
const madeByThem = {
  api_keys: Type.Array(ApiKey, { description: 'The keys that they had made: revoked, or taken over.' }),
  webhook_endpoints: Type.Array(WebhookEndpoint, {
    description: 'The webhook endpoints that they had made: disabled, or taken over.',
  }),
  invitations: Type.Array(Invitation, { description: 'The open invitations that they had sent: canceled.' }),
};
const TakeOver = Type.Optional(
  Type.Boolean({
    description:
      'Whether the API keys and webhook endpoints that they made become yours. Otherwise keys are revoked and endpoints disabled. Means nothing about yourself.',
  }),
);

const members = { tag: 'People', auth: 'manager' } as const;

export const listMyAccounts = endpoint({
  operationId: 'listMyAccounts',
  method: 'GET',
  path: '/api/auth/accounts',
  tag: 'People',
  auth: 'person',
  summary: 'List the accounts that you belong to',
  answers: { 200: { description: 'Oldest membership first.', schema: Closed({ accounts: Type.Array(AccountRole) }) } },
  errors: {},
});

export const switchAccount = endpoint({
  operationId: 'switchAccount',
  method: 'POST',
  path: '/api/auth/accounts/{id}/switch',
  tag: 'People',
  auth: 'person',
  unverified: true,
  summary: 'Let this session act for another of your accounts',
  params: IdParams('acct'),
  answers: { 200: { description: 'The session now acts for it.', schema: Closed({ account: AccountRole }) } },
  errors: { 404: ['not_found'], 422: ['invalid_request'] },
});

export const openAccount = endpoint({
  operationId: 'openAccount',
  method: 'POST',
  path: '/api/auth/accounts',
  tag: 'People',
  auth: 'person',
  summary: 'Open another account',
  description: 'You own it, and this session acts for it from then on. A person owns at most 20.',
  body: Closed({ name: Name('Rise Bakery') }),
  answers: { 201: { description: 'Opened.', schema: Closed({ account: AccountRole }) } },
  errors: { 403: ['limit_reached'], 422: ['invalid_request'] },
});

export const renameAccount = endpoint({
  ...members,
  operationId: 'renameAccount',
  method: 'POST',
  path: '/api/auth/account',
  summary: 'Rename the account that the session acts for',
  body: Closed({ name: Name('Rise Bakery') }),
  answers: { 200: { description: 'Renamed.', schema: Closed({ account: AccountRole }) } },
  errors: { 422: ['invalid_request'] },
});

export const leaveAccount = endpoint({
  operationId: 'leaveAccount',
  method: 'POST',
  path: '/api/auth/accounts/{id}/leave',
  tag: 'People',
  auth: 'person',
  summary: 'Leave an account',
  description:
    'The last owner stays. Your API keys in it are revoked and your open invitations canceled. If the session acted for it, it acts for your oldest account from then on.',
  params: IdParams('acct'),
  answers: {
    200: {
      description: 'Left.',
      schema: Closed({
        account: Nullable(AccountRole, 'What the session acts for now; null where you belong to no account.'),
        ...madeByThem,
      }),
    },
  },
  errors: { 404: ['not_found'], 422: ['invalid_request'] },
});

export const listMembers = endpoint({
  operationId: 'listMembers',
  method: 'GET',
  path: '/api/auth/members',
  tag: 'People',
  auth: 'caller',
  summary: 'List the members of the account',
  answers: { 200: { description: 'Oldest first.', schema: Closed({ members: Type.Array(Member) }) } },
  errors: {},
});

export const changeMemberRole = endpoint({
  ...members,
  operationId: 'changeMemberRole',
  method: 'POST',
  path: '/api/auth/members/{id}/role',
  summary: 'Change the role of a member',
  description:
    'Only an owner makes or unmakes owners, and the last owner stays one. Who becomes a plain member loses what they made to give access: their API keys are revoked or taken over, their open invitations canceled.',
  params: IdParams('mem'),
  body: Closed({ role: Role, take_over: TakeOver }, { examples: [{ role: 'admin' }] }),
  answers: { 200: { description: 'The member.', schema: Closed({ member: Member, ...madeByThem }) } },
  errors: { 403: ['role_required'], 404: ['not_found'], 422: ['invalid_request'] },
});

export const removeMember = endpoint({
  ...members,
  operationId: 'removeMember',
  method: 'DELETE',
  path: '/api/auth/members/{id}',
  summary: 'Remove a member from the account',
  description:
    'Their sessions stop acting for the account at once. Their API keys are revoked or taken over, their open invitations canceled.',
  params: IdParams('mem'),
  body: Closed({ take_over: TakeOver }, { examples: [{ take_over: true }] }),
  answers: { 200: { description: 'Removed.', schema: Closed({ member: Member, ...madeByThem }) } },
  errors: { 403: ['role_required'], 404: ['not_found'], 422: ['invalid_request'] },
});

export const inviteMember = endpoint({
  ...members,
  operationId: 'inviteMember',
  method: 'POST',
  path: '/api/auth/invitations',
  summary: 'Invite someone by e-mail',
  description:
    'Kept for 48 hours; inviting an address again replaces its invitation. Accepting needs a session whose address is the invited one and verified.',
  body: Closed({ email: Email, role: Type.Enum(['admin', 'member'], { type: 'string' }) }),
  rate: 'send_mail',
  answers: { 201: { description: 'Invited; a mail is on its way.', schema: Closed({ invitation: Invitation }) } },
  errors: { 422: ['invalid_request'] },
});

export const listInvitations = endpoint({
  ...members,
  operationId: 'listInvitations',
  method: 'GET',
  path: '/api/auth/invitations',
  summary: 'List the invitations of the account',
  answers: { 200: { description: 'Newest first.', schema: Closed({ invitations: Type.Array(Invitation) }) } },
  errors: {},
});

export const cancelInvitation = endpoint({
  ...members,
  operationId: 'cancelInvitation',
  method: 'DELETE',
  path: '/api/auth/invitations/{id}',
  summary: 'Cancel an invitation',
  params: IdParams('inv'),
  answers: { 200: { description: 'Canceled.', schema: Closed({ invitation: Invitation }) } },
  errors: { 404: ['not_found'], 422: ['invalid_request'] },
});

export const acceptInvitation = endpoint({
  operationId: 'acceptInvitation',
  method: 'POST',
  path: '/api/auth/invitations/{id}/accept',
  tag: 'People',
  auth: 'person',
  summary: 'Accept an invitation',
  description: 'The session acts for the joined account from then on.',
  params: IdParams('inv'),
  answers: { 200: { description: 'Joined.', schema: Closed({ account: AccountRole }) } },
  errors: { 403: ['email_unverified'], 404: ['not_found'], 422: ['invalid_request'] },
});

const ReceivedInvitation = Closed(
  {
    id: Id('inv'),
    account_name: Type.String(),
    inviter_name: Type.String(),
    role: Role,
    status: Invitation.properties.status,
    expires_at: Timestamp('When it can no longer be accepted.'),
  },
  { $id: 'ReceivedInvitation' },
);

export const listMyInvitations = endpoint({
  operationId: 'listMyInvitations',
  method: 'GET',
  path: '/api/auth/my-invitations',
  tag: 'People',
  auth: 'person',
  summary: 'List the open invitations to your address',
  description: 'Empty until the address is verified.',
  answers: {
    200: { description: 'Newest first.', schema: Closed({ invitations: Type.Array(ReceivedInvitation) }) },
  },
  errors: {},
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
      description: 'The invitation, and what keeps you from accepting it.',
      schema: Closed({
        invitation: ReceivedInvitation,
        obstacle: Nullable(
          Type.Enum(['other_address', 'email_unverified', 'not_open'], { type: 'string' }),
          'Null where you can accept it. `other_address`: it is for another address than yours.',
        ),
      }),
    },
  },
  errors: { 404: ['not_found'] },
});

export const declineInvitation = endpoint({
  operationId: 'declineInvitation',
  method: 'POST',
  path: '/api/auth/invitations/{id}/decline',
  tag: 'People',
  auth: 'person',
  summary: 'Decline an invitation',
  params: IdParams('inv'),
  answers: { 200: { description: 'Declined.', schema: Closed({ invitation: ReceivedInvitation }) } },
  errors: { 403: ['email_unverified'], 404: ['not_found'], 422: ['invalid_request'] },
});
