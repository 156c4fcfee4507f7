import { endpoint } from '../endpoint.ts';
import { Done } from '../people/people.ts';
import { ViewedAccount } from '../people/viewed-account.ts';
import { Closed, IdParams } from '../shapes.ts';

const ofAccount = {
  tag: 'Desk',
  auth: 'operator',
  right: 'note_accounts',
  csrf: true,
  path: '/api/operator/v1/accounts/{id}/view',
  params: IdParams('acct'),
} as const;

export const viewAccount = endpoint({
  ...ofAccount,
  operationId: 'viewAccount',
  method: 'POST',
  summary: 'View an account as its owner',
  description:
    'For 30 minutes the routes of accounts answer this session as the owner of this account, without what the studio must not see: unsent comments, drafts, metadata, keys, webhooks and links. Routes that change something, and those that show such things, answer `view_only`. Viewing again restarts the time; viewing another account ends the first. A view also ends with the session and with the role. The audit log of the account says when it was viewed, that of the studio also by whom.',
  idempotent: 'refused',
  answers: { 200: { description: 'The view.', schema: Closed({ view: ViewedAccount }) } },
  errors: { 404: ['account_not_found'] },
});

export const endAccountView = endpoint({
  ...ofAccount,
  operationId: 'endAccountView',
  method: 'DELETE',
  summary: 'End the view of an account',
  description: 'A session that does not view this account stays as it is.',
  answers: { 200: { description: 'The view has ended.', schema: Done } },
  errors: { 404: ['account_not_found'] },
});
