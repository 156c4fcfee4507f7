import { changeEmail, choosePassword, resetPassword, verifyEmail } from './address-mails.ts';
import { appConnected } from './app-mail.ts';
import { doctorChanges } from './doctor-mail.ts';
import { endpointDisabled, endpointFailing } from './endpoint-mails.ts';
import { invitation } from './invitation-mail.ts';
import type { MailKind } from './letter.ts';
import { digest, notification } from './notification-mail.ts';
import { addressChanged, passwordChanged, secondFactorAdded, secondFactorRemoved } from './notice-mails.ts';
import { operatorInvitation } from './operator-invitation-mail.ts';
import { jobReady } from './review-mail.ts';
import { jobMessages, openQuestion } from './thread-mail.ts';

export const mailKinds = {
  verify_email: verifyEmail,
  reset_password: resetPassword,
  change_email: changeEmail,
  choose_password: choosePassword,
  address_changed: addressChanged,
  password_changed: passwordChanged,
  second_factor_added: secondFactorAdded,
  second_factor_removed: secondFactorRemoved,
  invitation,
  operator_invitation: operatorInvitation,
  job_ready: jobReady,
  job_messages: jobMessages,
  open_question: openQuestion,
  endpoint_failing: endpointFailing,
  endpoint_disabled: endpointDisabled,
  app_connected: appConnected,
  doctor_changes: doctorChanges,
  notification,
  digest,
};

type Kinds = typeof mailKinds;
export type KindName = keyof Kinds;
export type NewMail = {
  [Name in KindName]: { kind: Name } & (Kinds[Name] extends MailKind<infer Fields> ? Fields : never);
}[KindName];
