import * as sessions from '../contract/sessions.ts';
import * as secondFactor from '../contract/second-factor.ts';
import { deletePerson } from './accounts/delete-person.ts';
import { exportPerson } from './accounts/export-person.ts';
import { readSession } from './accounts/read-session.ts';
import { listSessions } from './accounts/list-sessions.ts';
import { endSession } from './accounts/end-session.ts';
import { changePassword } from './accounts/change-password.ts';
import { changeProfile } from './accounts/change-profile.ts';
import { changeEmail } from './accounts/change-email.ts';
import { confirmEmailChange } from './accounts/confirm-email-change.ts';
import { undoEmailChange } from './accounts/undo-email-change.ts';
import { startSecondFactor } from './accounts/start-second-factor.ts';
import { confirmSecondFactor } from './accounts/confirm-second-factor.ts';
import { endSecondFactor } from './accounts/end-second-factor.ts';
import { openAccount } from './accounts/open-account.ts';
import { renameAccount } from './accounts/rename-account.ts';
import { leaveAccount } from './accounts/leave-account.ts';
import { listMyInvitations } from './accounts/list-my-invitations.ts';
import { readInvitation } from './accounts/read-invitation.ts';
import { declineInvitation } from './accounts/decline-invitation.ts';
import * as accounts from '../contract/accounts.ts';
import * as invitations from '../contract/invitations.ts';
import * as members from '../contract/members.ts';
import * as people from '../contract/people.ts';
import { acceptInvitation } from './accounts/accept-invitation.ts';
import { cancelInvitation } from './accounts/cancel-invitation.ts';
import { changeMemberRole } from './accounts/change-member-role.ts';
import { inviteMember } from './accounts/invite-member.ts';
import { listInvitations } from './accounts/list-invitations.ts';
import { listMembers } from './accounts/list-members.ts';
import { listMyAccounts } from './accounts/list-my-accounts.ts';
import { removeMember } from './accounts/remove-member.ts';
import { requestPasswordReset } from './accounts/request-password-reset.ts';
import { resetPassword } from './accounts/reset-password.ts';
import { sendVerificationEmail } from './accounts/send-verification-email.ts';
import { signIn } from './accounts/sign-in.ts';
import { signOut } from './accounts/sign-out.ts';
import { signUp } from './accounts/sign-up.ts';
import { switchAccount } from './accounts/switch-account.ts';
import { verifyEmail } from './accounts/verify-email.ts';
import type { Context } from './context.ts';
import type { handler } from './http/handle.ts';

type Handle = ReturnType<typeof handler<Context>>;

/** The people's part of `app.ts`. */
export function offerPeople(handle: Handle): void {
  handle(people.signUp, signUp);
  handle(people.signIn, signIn);
  handle(people.signOut, signOut);
  handle(people.requestPasswordReset, requestPasswordReset);
  handle(people.resetPassword, resetPassword);
  handle(people.sendVerificationEmail, sendVerificationEmail);
  handle(people.verifyEmail, verifyEmail);
  offerSessions(handle);
  offerAccounts(handle);
}

function offerSessions(handle: Handle): void {
  handle(sessions.readSession, readSession);
  handle(sessions.listSessions, listSessions);
  handle(sessions.endSession, endSession);
  handle(sessions.changePassword, changePassword);
  handle(sessions.changeProfile, changeProfile);
  handle(sessions.changeEmail, changeEmail);
  handle(sessions.confirmEmailChange, confirmEmailChange);
  handle(sessions.undoEmailChange, undoEmailChange);
  handle(sessions.exportPerson, exportPerson);
  handle(sessions.deletePerson, deletePerson);
  handle(secondFactor.startSecondFactor, startSecondFactor);
  handle(secondFactor.confirmSecondFactor, confirmSecondFactor);
  handle(secondFactor.endSecondFactor, endSecondFactor);
}

function offerAccounts(handle: Handle): void {
  handle(accounts.listMyAccounts, listMyAccounts);
  handle(accounts.switchAccount, switchAccount);
  handle(accounts.openAccount, openAccount);
  handle(accounts.renameAccount, renameAccount);
  handle(members.leaveAccount, leaveAccount);
  handle(members.listMembers, listMembers);
  handle(members.changeMemberRole, changeMemberRole);
  handle(members.removeMember, removeMember);
  handle(invitations.inviteMember, inviteMember);
  handle(invitations.listInvitations, listInvitations);
  handle(invitations.cancelInvitation, cancelInvitation);
  handle(invitations.acceptInvitation, acceptInvitation);
  handle(invitations.listMyInvitations, listMyInvitations);
  handle(invitations.readInvitation, readInvitation);
  handle(invitations.declineInvitation, declineInvitation);
}
