import Type from 'typebox';
import { AccountRole } from './accounts.ts';
import { endpoint } from '../endpoint.ts';
import { Orders, Role } from '../plans/entitlements.ts';
import { Invitation } from './invitations.ts';
import { ApiKey } from '../developer/keys.ts';
import { Closed, Id, IdParams, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';
import { WebhookEndpoint } from '../developer/webhooks.ts';

export const Member = Closed(
  {
    id: Id('mem'),
    user: Closed(
      {
        id: Id('user'),
        name: Type.String({ description: 'The name of the person.' }),
        email: Type.String({ description: 'The address that the person signs in with.' }),
      },
      { description: 'The person.' },
    ),
    role: Role,
    orders: Orders,
    created_at: Timestamp('When the user joined.'),
  },
  { $id: 'Member', description: 'A person who belongs to the account.' },
);

/** What ended, or changed hands, when a member lost the right to it. */
const madeByThem = {
  api_keys: Type.Array(ApiKey, { description: 'The API keys that they had created: revoked, or taken over.' }),
  webhook_endpoints: Type.Array(WebhookEndpoint, {
    description: 'The webhook endpoints that they had created: disabled, or taken over.',
  }),
  invitations: Type.Array(Invitation, { description: 'The open invitations that they had sent: canceled.' }),
};
const TakeOver = Type.Optional(
  Type.Boolean({
    description:
      'Whether their API keys and webhook endpoints become yours. Otherwise keys are revoked and endpoints disabled. Has no effect on yourself.',
  }),
);

const managed = { tag: 'People', auth: 'manager' } as const;

export const leaveAccount = endpoint({
  operationId: 'leaveAccount',
  method: 'POST',
  path: '/api/auth/accounts/{id}/leave',
  tag: 'People',
  auth: 'person',
  summary: 'Leave an account',
  description:
    'The last owner cannot leave. Your API keys in the account are revoked and your open invitations canceled. If the session acted for it, it switches to your oldest account.',
  idempotent: 422,
  params: IdParams('acct'),
  answers: {
    200: {
      description: 'Left.',
      schema: Closed({
        account: Nullable(AccountRole, 'The account that the session now acts for; null if you belong to none.'),
        ...madeByThem,
      }),
    },
  },
  errors: { 404: ['account_not_found'], 422: ['invalid_request'] },
});

export const listMembers = endpoint({
  operationId: 'listMembers',
  method: 'GET',
  path: '/api/auth/members',
  tag: 'People',
  auth: 'caller',
  reviewers: true,
  summary: 'List the members of the account',
  query: Closed(page),
  whileViewing: true,
  answers: {
    200: { description: 'Oldest first.', schema: Closed({ members: Type.Array(Member), next_cursor: NextCursor }) },
  },
  errors: { 400: ['invalid_request'] },
});

export const changeMemberRole = endpoint({
  ...managed,
  operationId: 'changeMemberRole',
  method: 'PATCH',
  path: '/api/auth/members/{id}',
  summary: 'Change what a member may do',
  description:
    'Only an owner can appoint or remove owners, and the last one stays. When an admin or owner becomes a plain member, their API keys are revoked or taken over, their open invitations canceled and their connected apps ended. The same happens to whoever becomes a reviewer, whose connected apps go on and only read.',
  idempotent: 422,
  params: IdParams('mem'),
  body: Closed(
    {
      role: Type.Optional(Role),
      orders: Type.Optional(Orders),
      take_over: TakeOver,
    },
    { examples: [{ role: 'admin' }, { orders: 'confirmed' }] },
  ),
  answers: { 200: { description: 'The member.', schema: Closed({ member: Member, ...madeByThem }) } },
  errors: { 403: ['role_required'], 404: ['member_not_found'], 422: ['invalid_request'] },
});

export const removeMember = endpoint({
  ...managed,
  operationId: 'removeMember',
  method: 'DELETE',
  path: '/api/auth/members/{id}',
  summary: 'Remove a member from the account',
  whileSuspended: true,
  description:
    'Their sessions stop acting for the account at once. Their API keys are revoked or taken over, their open invitations canceled.',
  params: IdParams('mem'),
  body: Closed({ take_over: TakeOver }, { examples: [{ take_over: true }] }),
  answers: { 200: { description: 'Removed.', schema: Closed({ member: Member, ...madeByThem }) } },
  errors: { 403: ['role_required'], 404: ['member_not_found'], 422: ['invalid_request'] },
});
