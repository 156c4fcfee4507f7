import * as accounts from '../../contract/accounts.ts';
import * as invitations from '../../contract/invitations.ts';
import * as members from '../../contract/members.ts';
import * as people from '../../contract/people.ts';
import * as secondFactor from '../../contract/second-factor.ts';
import * as sessions from '../../contract/sessions.ts';
import { route } from '../http/handle.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { cancelInvitation } from './cancel-invitation.ts';
import { changeEmail } from './change-email.ts';
import { changeMemberRole } from './change-member-role.ts';
import { changePassword } from './change-password.ts';
import { changeProfile } from './change-profile.ts';
import { confirmEmailChange } from './confirm-email-change.ts';
import { confirmSecondFactor } from './confirm-second-factor.ts';
import { declineInvitation } from './decline-invitation.ts';
import { endSecondFactor } from './end-second-factor.ts';
import { endSession } from './end-session.ts';
import { exportPerson } from './export-person.ts';
import { inviteMember } from './invite-member.ts';
import { leaveAccount } from './leave-account.ts';
import { listInvitations } from './list-invitations.ts';
import { listMembers } from './list-members.ts';
import { listMyAccounts } from './list-my-accounts.ts';
import { listMyInvitations } from './list-my-invitations.ts';
import { listSessions } from './list-sessions.ts';
import { openAccount } from './open-account.ts';
import { readInvitation } from './read-invitation.ts';
import { readMailedInvitation } from './read-mailed-invitation.ts';
import { readSession } from './read-session.ts';
import { removeMember } from './remove-member.ts';
import { renameAccount } from './rename-account.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resetPassword } from './reset-password.ts';
import { sendVerificationEmail } from './send-verification-email.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { signUp } from './sign-up.ts';
import { startSecondFactor } from './start-second-factor.ts';
import { switchAccount } from './switch-account.ts';
import { undoChange } from './undo-change.ts';
import { verifyEmail } from './verify-email.ts';

export const accountRoutes = [
  route(signUp, people.signUp),
  route(signIn, people.signIn),
  route(signOut, people.signOut),
  route(requestPasswordReset, people.requestPasswordReset),
  route(resetPassword, people.resetPassword),
  route(sendVerificationEmail, people.sendVerificationEmail),
  route(verifyEmail, people.verifyEmail),
  route(readSession, sessions.readSession),
  route(listSessions, sessions.listSessions),
  route(endSession, sessions.endSession),
  route(changePassword, sessions.changePassword),
  route(changeProfile, sessions.changeProfile),
  route(changeEmail, sessions.changeEmail),
  route(confirmEmailChange, sessions.confirmEmailChange),
  route(undoChange, sessions.undoChange),
  route(exportPerson, sessions.exportPerson),
  route(startSecondFactor, secondFactor.startSecondFactor),
  route(confirmSecondFactor, secondFactor.confirmSecondFactor),
  route(endSecondFactor, secondFactor.endSecondFactor),
  route(listMyAccounts, accounts.listMyAccounts),
  route(switchAccount, accounts.switchAccount),
  route(openAccount, accounts.openAccount),
  route(renameAccount, accounts.renameAccount),
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
