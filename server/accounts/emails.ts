import type { Email } from '../lib/mail.ts';

/**
 * The mails about people. Links are made of PUBLIC_URL alone, never of a request. Subjects are fixed, and no text that a
 * stranger typed goes to an address that has not asked for it, except the names in an invitation, which hold no links.
 */
export const verificationEmail = (publicUrl: string, to: string, token: string): Email => ({
  to,
  subject: 'Verify your e-mail address',
  text: `Open this link within an hour and press its button to verify that this address is yours:

${publicUrl}/verify-email?token=${token}

If you did not sign up, ignore this mail: the button works only for who did.
`,
});

export const resetEmail = (publicUrl: string, to: string, token: string): Email => ({
  to,
  subject: 'Reset your password',
  text: `Someone asked to reset the password of this address. To choose a new one, open this link within an hour:

${publicUrl}/reset-password?token=${token}

It works once, and all your sessions end. If you did not ask for it, ignore this mail.
`,
});

type Offer = { id: string; email: string; role: string; accountName: string; inviterName: string };

export const invitationEmail = (publicUrl: string, { id, email, role, accountName, inviterName }: Offer): Email => ({
  to: email,
  subject: 'You are invited to an account',
  text: `${inviterName} invites you to join the account "${accountName}" as ${role}.

Sign up or in with this address (${email}), verify it, and open this link within 48 hours:

${publicUrl}/invitations/${id}

If you do not know them, ignore this mail.
`,
});
