import { DeskAccount, SuspensionReason } from './account.ts';
import { endpoint } from '../endpoint.ts';
import { Closed, IdParams } from '../shapes.ts';

const ofAccount = {
  tag: 'Desk',
  auth: 'operator',
  right: 'manage_accounts',
  csrf: true,
  idempotent: 'by_nature',
  params: IdParams('acct'),
} as const;

export const suspendAccount = endpoint({
  ...ofAccount,
  operationId: 'suspendAccount',
  method: 'POST',
  path: '/api/operator/v1/accounts/{id}/suspend',
  summary: 'Suspend an account',
  description:
    'Its people, keys and guests are answered `account_suspended` when they change something, except for approving deliveries, revoking access, and ending plans, memberships or the account. They still sign in, read and export. Jobs in progress go on: the desk works on them, deliveries are approved automatically when their time is over, and webhooks are sent. An account that is suspended keeps its first reason.',
  body: Closed({ reason: SuspensionReason }),
  answers: { 200: { description: 'The suspended account.', schema: Closed({ account: DeskAccount }) } },
  errors: { 404: ['account_not_found'], 422: ['invalid_request'] },
});

export const reopenAccount = endpoint({
  ...ofAccount,
  operationId: 'reopenAccount',
  method: 'POST',
  path: '/api/operator/v1/accounts/{id}/reopen',
  summary: 'Reopen a suspended account',
  description: 'An account that is open stays as it is.',
  answers: { 200: { description: 'The open account.', schema: Closed({ account: DeskAccount }) } },
  errors: { 404: ['account_not_found'] },
});
