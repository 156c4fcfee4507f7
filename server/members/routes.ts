import * as accounts from '../../contract/people/accounts.ts';
import * as invitations from '../../contract/people/invitations.ts';
import * as members from '../../contract/people/members.ts';
import * as studioOrders from '../../contract/people/studio-orders.ts';
import { route } from '../http/handle.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { cancelInvitation } from './cancel-invitation.ts';
import { changeMemberRole } from './change-member-role.ts';
import { chooseStudioOrders } from './choose-studio-orders.ts';
import { declineInvitation } from './decline-invitation.ts';
import { inviteMember } from './invite-member.ts';
import { leaveAccount } from './leave-account.ts';
import { listInvitations } from './list-invitations.ts';
import { listMembers } from './list-members.ts';
import { listMyAccounts } from './list-my-accounts.ts';
import { listMyInvitations } from './list-my-invitations.ts';
import { openAccount } from './open-account.ts';
import { readInvitation } from './read-invitation.ts';
import { readMailedInvitation } from './read-mailed-invitation.ts';
import { readStudioOrders } from './read-studio-orders.ts';
import { removeMember } from './remove-member.ts';
import { renameAccount } from './rename-account.ts';
import { switchAccount } from './switch-account.ts';

export const memberRoutes = [
  route(listMyAccounts, accounts.listMyAccounts),
  route(switchAccount, accounts.switchAccount),
  route(openAccount, accounts.openAccount),
  route(renameAccount, accounts.renameAccount),
  route(readStudioOrders, studioOrders.readStudioOrders),
  route(chooseStudioOrders, studioOrders.chooseStudioOrders),
  route(leaveAccount, members.leaveAccount),
  route(listMembers, members.listMembers),
  route(changeMemberRole, members.changeMemberRole),
  route(removeMember, members.removeMember),
  route(inviteMember, invitations.inviteMember),
  route(listInvitations, invitations.listInvitations),
  route(cancelInvitation, invitations.cancelInvitation),
  route(acceptInvitation, invitations.acceptInvitation),
  route(listMyInvitations, invitations.listMyInvitations),
  route(readInvitation, invitations.readInvitation),
  route(readMailedInvitation, invitations.readMailedInvitation),
  route(declineInvitation, invitations.declineInvitation),
];
