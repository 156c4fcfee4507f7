import { customerPages } from '../../contract/pages.ts';
import { type MailKind, patience } from './kind.ts';
import { repeatUndo } from './mail-token.ts';

/** What a person must be told, at the address they had when it happened. */
type Notice = { userId: string; address: string };

const notice = { hours: patience, counted: false };

/** With a link that undoes the change. It has lost its purpose once the change is undone, or cannot be any more. */
const undoable = (subject: string, what: string): MailKind<Notice> => ({
  ...notice,
  async compose(db, { userId, address }) {
    const token = await repeatUndo(db, userId, address);
    return token === null ? null : { to: address, subject, body: [what, ...notMe(token)] };
  },
});

export const notMe = (token: string) => [
  'If that was not you, open this link within three days and press its button:',
  { path: `${customerPages.undoChange}?token=${token}`, button: 'That was not me' },
  'The change is taken back, and what was made in your name since then ends: sessions, a second factor, API keys, webhook endpoints, invitations and the members they brought. You then choose a new password.',
];

export const addressChanged = undoable(
  'Your e-mail address was changed',
  'You sign in with another e-mail address from now on.',
);
export const passwordChanged = undoable(
  'Your password was changed',
  'Your password was changed, and your other sessions have ended.',
);
export const secondFactorAdded = undoable(
  'Your second factor was changed',
  'Your second factor was switched on: signing in takes a code from now on.',
);

const removals = {
  person: 'Your second factor was switched off: signing in takes your password alone.',
  studio: 'The studio has taken your second factor away, as it was asked to. Set up a new one when you have signed in.',
};

export const secondFactorRemoved: MailKind<Notice & { data: { by: keyof typeof removals } }> = {
  ...notice,
  compose: async (_, { address, data: { by } }) => ({
    to: address,
    subject: 'Your second factor was changed',
    body: [
      `${removals[by]} If that was not you, tell the studio, and reset your password now:`,
      { path: customerPages.forgotPassword, button: 'Reset the password' },
    ],
  }),
};
