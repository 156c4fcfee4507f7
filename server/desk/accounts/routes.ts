import * as accountNotes from '../../../contract/desk/account-notes.ts';
import * as accountViews from '../../../contract/desk/account-views.ts';
import * as deskAccounts from '../../../contract/desk/accounts.ts';
import * as importedPeople from '../../../contract/desk/imported-people.ts';
import * as quotaAdjustments from '../../../contract/desk/quota-adjustments.ts';
import * as suspensions from '../../../contract/desk/suspensions.ts';
import { route } from '../../http/handle.ts';
import { createQuotaAdjustment } from './create-quota-adjustment.ts';
import { endAccountView } from './end-account-view.ts';
import { inviteImportedPeople } from './invite-imported-people.ts';
import { listAccounts } from './list-accounts.ts';
import { readAccount } from './read-account.ts';
import { removeImportedPerson } from './remove-imported-person.ts';
import { reopenAccount } from './reopen-account.ts';
import { replaceAccountNote } from './replace-account-note.ts';
import { suspendAccount } from './suspend-account.ts';
import { viewAccount } from './view-account.ts';

export const deskAccountRoutes = [
  route(listAccounts, deskAccounts.listAccounts),
  route(readAccount, deskAccounts.readAccount),
  route(replaceAccountNote, accountNotes.replaceAccountNote),
  route(inviteImportedPeople, importedPeople.inviteImportedPeople),
  route(removeImportedPerson, importedPeople.removeImportedPerson),
  route(createQuotaAdjustment, quotaAdjustments.createQuotaAdjustment),
  route(suspendAccount, suspensions.suspendAccount),
  route(reopenAccount, suspensions.reopenAccount),
  route(viewAccount, accountViews.viewAccount),
  route(endAccountView, accountViews.endAccountView),
];
