import Type from 'typebox';
import { DeskAccount } from './account.ts';
import { endpoint } from '../endpoint.ts';
import { Closed, Count, Id, IdParams } from '../shapes.ts';

export const inviteImportedPeople = endpoint({
  operationId: 'inviteImportedPeople',
  method: 'POST',
  path: '/api/operator/v1/accounts/{id}/imported/invite',
  tag: 'Desk',
  summary: 'Invite imported people to their account',
  description:
    'Mails them the invitation that members send, in the name of the operator. Until they accept it, imported people cannot sign in and get no other mail. A new invitation replaces an open one of an operator that is older than 10 minutes, and none of a member. Once an owner has joined, owners and admins are invited as members.',
  auth: 'operator',
  right: 'note_accounts',
  csrf: true,
  idempotent: 422,
  params: IdParams('acct'),
  body: Closed(
    {
      person_ids: Type.Optional(
        Type.Array(Id('user'), {
          minItems: 1,
          maxItems: 100,
          uniqueItems: true,
          description: 'Those of `imported_people`. Without it: the first 100 who have no open invitation.',
        }),
      ),
    },
    { examples: [{}] },
  ),
  answers: {
    200: {
      description: 'The account, with the open invitations.',
      schema: Closed({ account: DeskAccount, invited: Count('Invitations that were made.') }),
    },
  },
  errors: { 404: ['account_not_found'], 422: ['invalid_request'] },
});

export const removeImportedPerson = endpoint({
  operationId: 'removeImportedPerson',
  method: 'DELETE',
  path: '/api/operator/v1/accounts/{id}/imported-people/{person_id}',
  tag: 'Desk',
  summary: 'Remove an imported person who has not joined',
  description:
    'For somebody who has left the customer. Their name, address and open invitation of an operator are gone; their past jobs stay, and no import brings them back. The last owner of an account stays.',
  auth: 'operator',
  right: 'note_accounts',
  csrf: true,
  params: Closed({ ...IdParams('acct').properties, person_id: Id('user') }),
  answers: { 200: { description: 'The account.', schema: Closed({ account: DeskAccount }) } },
  errors: { 404: ['account_not_found', 'member_not_found'], 422: ['invalid_request'] },
});
