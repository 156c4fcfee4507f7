import Type from 'typebox';
import { DeskAccount, DeskAccountListItem } from './account.ts';
import { endpoint } from '../endpoint.ts';
import { Closed, IdParams, NextCursor, page } from '../shapes.ts';
import { standingFilter } from './standing.ts';

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
    standing: standingFilter,
    ...page,
  }),
  answers: {
    200: {
      description: 'Newest first.',
      schema: Closed({
        accounts: Type.Array(DeskAccountListItem),
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
        account: DeskAccount,
      }),
    },
  },
  errors: { 404: ['account_not_found'] },
});
