import Type from 'typebox';
import { DeskAccount } from './account.ts';
import { endpoint } from '../endpoint.ts';
import { Closed, IdParams } from '../shapes.ts';

export const replaceAccountNote = endpoint({
  operationId: 'replaceAccountNote',
  method: 'PUT',
  path: '/api/operator/v1/accounts/{id}/note',
  tag: 'Desk',
  summary: 'Replace the standing note about an account',
  description: 'Operators read it on the account and beside each of its jobs. Workers and the account never see it.',
  auth: 'operator',
  right: 'note_accounts',
  csrf: true,
  params: IdParams('acct'),
  body: Closed({
    body: Type.String({
      maxLength: 10_000,
      description: 'The note, for the studio only. Without text there is none.',
      examples: ['Send proofs as PDF. Never call before ten.'],
    }),
  }),
  answers: { 200: { description: 'The account with its note.', schema: Closed({ account: DeskAccount }) } },
  errors: { 404: ['account_not_found'], 422: ['invalid_request'] },
});
