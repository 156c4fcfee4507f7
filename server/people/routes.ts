import * as people from '../../contract/people/people.ts';
import * as personalData from '../../contract/people/personal-data.ts';
import * as sessions from '../../contract/people/sessions.ts';
import { route } from '../http/handle.ts';
import { changeEmail } from './change-email.ts';
import { changePassword } from './change-password.ts';
import { changeProfile } from './change-profile.ts';
import { confirmEmailChange } from './confirm-email-change.ts';
import { exportPerson } from './export-person.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resetPassword } from './reset-password.ts';
import { sendVerificationEmail } from './send-verification-email.ts';
import { signUp } from './sign-up.ts';
import { undoChange } from './undo-change.ts';
import { verifyEmail } from './verify-email.ts';

export const personRoutes = [
  route(signUp, people.signUp),
  route(requestPasswordReset, people.requestPasswordReset),
  route(resetPassword, people.resetPassword),
  route(sendVerificationEmail, people.sendVerificationEmail),
  route(verifyEmail, people.verifyEmail),
  route(changePassword, sessions.changePassword),
  route(changeProfile, sessions.changeProfile),
  route(changeEmail, sessions.changeEmail),
  route(confirmEmailChange, sessions.confirmEmailChange),
  route(undoChange, sessions.undoChange),
  route(exportPerson, personalData.exportPerson),
];
