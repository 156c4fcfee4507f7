import { customerPages } from '../../contract/pages.ts';
import { appsStay } from './app-mail.ts';
import { type MailKind, patience } from './letter.ts';
import { makeMailToken, repeatUndo } from './mail-token.ts';
import { notMe } from './notice-mails.ts';

/** Tokens are made at sending. No text by a stranger goes to an address that did not ask for it. */
type ToPerson = { userId: string; address: string };

const hour = { hours: 1, counted: true };

export const verifyEmail: MailKind<ToPerson> = {
  ...hour,
  async compose(db, { userId, address }) {
    const unverified = await db
      .selectFrom('people')
      .select('id')
      .where('id', '=', userId)
      .where('email', '=', address)
      .where('email_verified', '=', false)
      .executeTakeFirst();
    if (!unverified) return null;
    const token = await makeMailToken(db, { purpose: 'verify_email', userId, email: address });
    return {
      to: address,
      subject: 'Verify your e-mail address',
      body: [
        'Open this link within an hour and press its button to confirm that this is your address:',
        { path: `${customerPages.verifyEmail}?token=${token}`, button: 'Verify your e-mail address' },
        'If you did not sign up, ignore this mail: the button works only for the person who did.',
      ],
    };
  },
};

/** Queued for any address, so that unknown addresses take as long as known ones. */
export const resetPassword: MailKind<{ address: string }> = {
  ...hour,
  async compose(db, { address }) {
    const person = await db.selectFrom('people').select('id').where('email', '=', address).executeTakeFirst();
    if (!person) return null;
    const token = await makeMailToken(db, { purpose: 'reset_password', userId: person.id, email: address });
    const undo = await repeatUndo(db, person.id, address);
    return {
      to: address,
      subject: 'Reset your password',
      body: [
        'Somebody asked to reset the password for this address. To choose a new one, open this link within an hour:',
        { path: `${customerPages.resetPassword}?token=${token}`, button: 'Choose a new password' },
        'The link works once and ends all your sessions. If you did not ask for it, ignore this mail.',
        ...(await appsStay(db, person.id)),
        ...(undo === null
          ? []
          : ['Your address, password or second factor was changed in the last three days.', ...notMe(undo)]),
      ],
    };
  },
};

/** For somebody whose account was taken back from a thief: they have no password now. */
export const choosePassword = { ...resetPassword, hours: patience, counted: false };

export const changeEmail: MailKind<ToPerson & { data: { session_id: string } }> = {
  ...hour,
  async compose(db, { userId, address, data: { session_id: sessionId } }) {
    const session = await db
      .selectFrom('sessions')
      .select('id')
      .where('id', '=', sessionId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (!session) return null;
    const token = await makeMailToken(db, { purpose: 'change_email', userId, email: address, sessionId });
    return {
      to: address,
      subject: 'Confirm your new e-mail address',
      body: [
        'Open this link within an hour in the browser where you asked for the change, and press its button:',
        { path: `${customerPages.changeEmail}?token=${token}`, button: 'Confirm your new e-mail address' },
        'If you did not ask for it, ignore this mail: nothing changes.',
      ],
    };
  },
};
