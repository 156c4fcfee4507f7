import { customerPages } from '../../contract/pages.ts';
import { appsStay } from './app-mail.ts';
import { type MailKind, patience } from './letter.ts';
import { repeatUndo } from './mail-token.ts';

/** The address is the one at the time of the change. */
type Notice = { userId: string; address: string };

const notice = { hours: patience, counted: false };

/** With a link that undoes the change. Dropped if the change can no longer be undone. */
const undoable = (subject: string, what: string): MailKind<Notice> => ({
  ...notice,
  async compose(db, { userId, address }) {
    const token = await repeatUndo(db, userId, address);
    return token === null ? null : { to: address, subject, body: [what, ...notMe(token)] };
  },
});

export const notMe = (token: string) => [
  'If this was not you, open this link within three days and press its button:',
  { path: `${customerPages.undoChange}?token=${token}`, button: 'That was not me' },
  'This undoes the change and ends everything made in your name since: sessions, a second factor, API keys, webhook endpoints, invitations and the members who joined by them. You then choose a new password.',
];

export const addressChanged = undoable(
  'Your e-mail address was changed',
  'From now on, you sign in with another e-mail address.',
);
const changed = undoable('Your password was changed', 'Your password was changed, and your other sessions have ended.');
export const passwordChanged: MailKind<Notice> = {
  ...changed,
  async compose(db, about, studio) {
    const letter = await changed.compose(db, about, studio);
    return letter && { ...letter, body: [...letter.body, ...(await appsStay(db, about.userId))] };
  },
};
export const secondFactorAdded = undoable(
  'Your second factor was changed',
  'Your second factor was switched on: from now on, signing in needs a code.',
);

const removals = {
  person: 'Your second factor was switched off: signing in needs only your password.',
  studio: 'The studio removed your second factor on request. Set up a new one after signing in.',
};

export const secondFactorRemoved: MailKind<Notice & { data: { by: keyof typeof removals } }> = {
  ...notice,
  compose: async (_, { address, data: { by } }) => ({
    to: address,
    subject: 'Your second factor was changed',
    body: [
      `${removals[by]} If this was not you, tell the studio and reset your password now:`,
      { path: customerPages.forgotPassword, button: 'Reset the password' },
    ],
  }),
};
