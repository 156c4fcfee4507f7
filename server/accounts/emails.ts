import { customerPages } from '../../contract/pages.ts';
import type { Email } from '../lib/mail.ts';

/**
 * The mails about people. Links are made of PUBLIC_URL alone, never of a request. Subjects are fixed, and no text that a
 * stranger typed goes to an address that has not asked for it, except the names in an invitation, which hold no links.
 */
export const verificationEmail = (publicUrl: string, to: string, token: string): Email => ({
  to,
  subject: 'Verify your e-mail address',
  text: `Open this link within an hour and press its button to verify that this address is yours:

${publicUrl}${customerPages.verifyEmail}?token=${token}

If you did not sign up, ignore this mail: the button works only for who did.
`,
});

export const resetEmail = (publicUrl: string, to: string, token: string, undo: string | null = null): Email => ({
  to,
  subject: 'Reset your password',
  button: 'Choose a new password',
  text: `Someone asked to reset the password of this address. To choose a new one, open this link within an hour:

${publicUrl}${customerPages.resetPassword}?token=${token}

It works once, and all your sessions end. If you did not ask for it, ignore this mail.
${undo === null ? '' : `\nYour address, password or second factor was changed in the last three days. ${notMe(publicUrl, undo)}`}`,
});

type Offer = { id: string; email: string; role: string; accountName: string; inviterName: string };

export const invitationEmail = (publicUrl: string, { id, email, role, accountName, inviterName }: Offer): Email => ({
  to: email,
  subject: 'You are invited to an account',
  button: 'See the invitation',
  text: `${inviterName} invites you to join the account "${accountName}" as ${role}.

Sign up or in with this address (${email}), verify it, and open this link within 48 hours:

${publicUrl}${customerPages.invitation.replace(':id', id)}

If you do not know them, ignore this mail.
`,
});

export const changeEmailEmail = (publicUrl: string, to: string, token: string): Email => ({
  to,
  subject: 'Confirm your new e-mail address',
  text: `Open this link within an hour, where you asked for the change, and press its button:

${publicUrl}${customerPages.changeEmail}?token=${token}

If you did not ask for it, ignore this mail: nothing changes.
`,
});

export const addressChangedEmail = (publicUrl: string, to: string, token: string): Email => ({
  to,
  subject: 'Your e-mail address was changed',
  button: 'That was not me',
  text: `You sign in with another e-mail address from now on.

${notMe(publicUrl, token)}`,
});

const notMe = (
  publicUrl: string,
  token: string,
): string => `If that was not you, open this link within three days and press its button:

${publicUrl}${customerPages.undoChange}?token=${token}

The change is taken back, and what was made in your name since then ends: sessions, a second factor, API keys, webhook
endpoints, invitations and the members they brought. You then choose a new password.
`;

export const passwordChangedEmail = (publicUrl: string, to: string, token: string): Email => ({
  to,
  subject: 'Your password was changed',
  button: 'That was not me',
  text: `Your password was changed, and your other sessions have ended.

${notMe(publicUrl, token)}`,
});

export const secondFactorOnEmail = (publicUrl: string, to: string, token: string): Email => ({
  to,
  subject: 'Your second factor was changed',
  button: 'That was not me',
  text: `Your second factor was switched on: signing in takes a code from now on.

${notMe(publicUrl, token)}`,
});

export const secondFactorEmail = (publicUrl: string, to: string, what: 'off' | 'taken away'): Email => ({
  to,
  subject: 'Your second factor was changed',
  button: 'Reset the password',
  text:
    {
      off: 'Your second factor was switched off: signing in takes your password alone.',
      'taken away':
        'The studio has taken your second factor away, as it was asked to. Set up a new one when you have signed in.',
    }[what] +
    ` If that was not you, tell the studio, and reset your password now:

${publicUrl}${customerPages.forgotPassword}
`,
});
