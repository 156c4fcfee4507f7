import Type from 'typebox';
import { suspended_since } from '../plans/entitlements.ts';
import { Closed, Id, Timestamp } from '../shapes.ts';

export const ViewedAccount = Closed(
  {
    account: Closed(
      {
        id: Id('acct'),
        name: Type.String({ description: 'The name of the account.' }),
        suspended_since,
      },
      { description: 'The viewed account.' },
    ),
    viewed_until: Timestamp('When the view ends at the latest.'),
  },
  { $id: 'ViewedAccount', description: 'An account that an operator views as its owner, read only.' },
);
