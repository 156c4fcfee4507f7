import Type from 'typebox';
import { JobBrand } from './brand.ts';
import { Member } from './members.ts';
import { endpoint } from './endpoint.ts';
import { Entitlement } from './entitlements.ts';
import { Closed, Count, Id, IdParams, NextCursor, Nullable, page, Timestamp } from './shapes.ts';

const listed = {
  id: Id('acct'),
  name: Type.String({ description: 'The name of the account.' }),
  owner_email: Nullable(Type.String(), 'The address of the owner; null where there is none.'),
  plan_codes: Type.Array(Type.String(), { description: 'Codes of the active plans.' }),
  paused: Type.Array(Type.String(), { description: 'Codes of paused plans, which give no access.' }),
  past_due: Type.Array(Type.String(), {
    description: 'Codes of overdue plans, which give access until the end of their period.',
  }),
  active_jobs: Count('Jobs that have not ended.'),
  created_at: Timestamp('When the account was created.'),
};

export const listAccounts = endpoint({
  operationId: 'listAccounts',
  method: 'GET',
  path: '/api/operator/v1/accounts',
  tag: 'Desk',
  summary: 'List the accounts',
  description: 'Newest first. Without `q`, operators’ own accounts are left out unless they ever had a plan.',
  auth: 'operator',
  right: 'read_accounts',
  query: Closed({
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Part of the name or of a member’s e-mail address, or an account id.',
      }),
    ),
    ...page,
  }),
  answers: {
    200: {
      description: 'Newest first.',
      schema: Closed({
        accounts: Type.Array(
          Closed(listed, { $id: 'DeskAccountListItem', description: 'An account as the studio lists it.' }),
        ),
        next_cursor: NextCursor,
      }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const readAccount = endpoint({
  operationId: 'readAccount',
  method: 'GET',
  path: '/api/operator/v1/accounts/{id}',
  tag: 'Desk',
  summary: 'Read an account with its plans and members',
  auth: 'operator',
  right: 'read_accounts',
  params: IdParams('acct'),
  answers: {
    200: {
      description: 'The account.',
      schema: Closed({
        account: Closed(
          {
            ...listed,
            jobs: Count('Jobs ever created.'),
            active_keys: Count('Working API keys.'),
            entitlements: Type.Array(Entitlement, { description: 'Newest grant first.' }),
            brand: Nullable(JobBrand, 'The brand kit; null if empty.'),
            members: Type.Array(Member, { description: 'Members of the account, oldest first.' }),
          },
          { $id: 'DeskAccount', description: 'An account as the studio sees it.' },
        ),
      }),
    },
  },
  errors: { 404: ['account_not_found'] },
});
