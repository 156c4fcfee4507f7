import * as accounts from '../../contract/people/accounts.ts';
import * as personalData from '../../contract/people/personal-data.ts';
import { route } from '../http/handle.ts';
import { closeAccount } from './close-account.ts';
import { deletePerson } from './delete-person.ts';
import { readClosing } from './read-closing.ts';

export const closingRoutes = [
  route(readClosing, accounts.readClosing),
  route(closeAccount, accounts.closeAccount),
  route(deletePerson, personalData.deletePerson),
];
