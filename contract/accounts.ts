import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Role } from './entitlements.ts';
import { Closed, Id, IdParams, Name } from './shapes.ts';

export const AccountRole = Closed(
  {
    id: Id('acct'),
    name: Type.String(),
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
  tag: 'People',
  auth: 'manager',
  operationId: 'renameAccount',
  method: 'POST',
  path: '/api/auth/account',
  summary: 'Rename the account that the session acts for',
  body: Closed({ name: Name('Rise Bakery') }),
  answers: { 200: { description: 'Renamed.', schema: Closed({ account: AccountRole }) } },
  errors: { 422: ['invalid_request'] },
});
