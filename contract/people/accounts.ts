import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Role } from '../plans/entitlements.ts';
import { Password, SecondFactorCode } from './people.ts';
import { Closed, Id, IdParams, Name, NextCursor, Nullable, page } from '../shapes.ts';

export const AccountRole = Closed(
  {
    id: Id('acct'),
    name: Type.String({ description: 'The name of the account.' }),
    role: Role,
    active: Type.Boolean({ description: 'Whether this session acts for it.' }),
  },
  { $id: 'AccountRole', description: 'An account that the user belongs to.' },
);

export const listMyAccounts = endpoint({
  operationId: 'listMyAccounts',
  method: 'GET',
  path: '/api/auth/accounts',
  tag: 'People',
  auth: 'person',
  summary: 'List the accounts that you belong to',
  query: Closed(page),
  answers: {
    200: {
      description: 'Oldest membership first.',
      schema: Closed({ accounts: Type.Array(AccountRole), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const switchAccount = endpoint({
  operationId: 'switchAccount',
  method: 'POST',
  path: '/api/auth/accounts/{id}/switch',
  tag: 'People',
  auth: 'person',
  unverified: true,
  summary: 'Let this session act for another of your accounts',
  idempotent: 'refused',
  params: IdParams('acct'),
  answers: { 200: { description: 'The session now acts for it.', schema: Closed({ account: AccountRole }) } },
  errors: { 404: ['account_not_found'], 422: ['invalid_request'] },
});

export const openAccount = endpoint({
  operationId: 'openAccount',
  method: 'POST',
  path: '/api/auth/accounts',
  tag: 'People',
  auth: 'person',
  summary: 'Open another account',
  description: 'You own it, and this session switches to it. A person can own at most 20.',
  idempotent: 422,
  body: Closed({ name: Name('Rise Bakery') }),
  location: '/api/auth/account',
  answers: { 201: { description: 'Opened.', schema: Closed({ account: AccountRole }) } },
  errors: { 403: ['limit_reached'], 422: ['invalid_request'] },
});

export const renameAccount = endpoint({
  tag: 'People',
  auth: 'manager',
  operationId: 'renameAccount',
  method: 'PATCH',
  path: '/api/auth/account',
  summary: 'Rename the account that the session acts for',
  idempotent: 422,
  body: Closed({ name: Name('Rise Bakery') }),
  answers: { 200: { description: 'Renamed.', schema: Closed({ account: AccountRole }) } },
  errors: { 422: ['invalid_request'] },
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const readClosing = endpoint({
  tag: 'People',
  auth: 'manager',
  operationId: 'readClosing',
  method: 'GET',
  path: '/api/auth/account/closing',
  summary: 'Read what closing the account would end',
  answers: {
    200: {
      description: 'What prevents closing the account, and what would end.',
      schema: Closed({
        closing: Closed(
          {
            possible: Type.Boolean({ description: 'Whether it can be closed now.' }),
            running_plans: count('Plans to end first.'),
            jobs_to_review: Type.Array(Id('job'), { description: 'Jobs to approve first.' }),
            ends: Closed(
              {
                open_jobs: count('Jobs that are canceled.'),
                other_members: count('People who lose access.'),
                api_keys: count('Keys that are revoked.'),
                webhook_endpoints: count('Endpoints that are deleted.'),
                files: count('Files whose bytes are deleted, including deliveries.'),
              },
              { description: 'What closing ends.' },
            ),
          },
          { description: 'What closing would do.' },
        ),
      }),
    },
  },
  errors: {},
});

export const closeAccount = endpoint({
  tag: 'People',
  auth: 'manager',
  operationId: 'closeAccount',
  method: 'POST',
  path: '/api/auth/account/close',
  summary: 'Close the account that the session acts for',
  whileSuspended: true,
  description:
    'For owners. Open jobs are canceled; keys, webhook endpoints, invitations and memberships end; files and all text are deleted. Usage stays, without text. Refused while a plan has not ended, a delivery waits for your review, or a change of your address, password or second factor can be undone.',
  idempotent: 'refused',
  body: Closed({ password: Password(1), code: SecondFactorCode }),
  answers: {
    200: {
      description: 'Closed.',
      schema: Closed({
        account: Nullable(AccountRole, 'The account that the session now acts for; null if you belong to none.'),
      }),
    },
  },
  errors: {
    403: ['role_required', 'second_factor_required'],
    409: ['account_in_use'],
    422: ['invalid_request'],
  },
});
