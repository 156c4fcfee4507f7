import type { Email } from '../lib/mail.ts';

/** Where the link to verify an address leads: a page of `verification-page.ts`. A dashboard may take it over. */
export const verificationPath = '/verify-email';

/** The mails about people. Links are made of PUBLIC_URL alone, never of a request, and no text that a stranger typed
 *  goes to an address that has not asked for it, except the names in an invitation. */
export const verificationEmail = (publicUrl: string, to: string, token: string): Email => ({
  to,
  subject: 'Verify your e-mail address',
  text: `Open this link within an hour to verify that this address is yours:

${publicUrl}${verificationPath}?token=${token}

If you did not ask for it, ignore this mail.
`,
});

export const resetEmail = (publicUrl: string, to: string, token: string): Email => ({
  to,
  subject: 'Reset your password',
  text: `Someone asked to reset the password of this address. To set a new one, send this request within an hour:

POST ${publicUrl}/api/auth/reset-password
Content-Type: application/json

{ "token": "${token}", "new_password": "…" }

The token works once, and all your sessions end. If you did not ask for it, ignore this mail.
`,
});

type Offer = { id: string; email: string; role: string; accountName: string; inviterName: string };

export const invitationEmail = (publicUrl: string, { id, email, role, accountName, inviterName }: Offer): Email => ({
  to: email,
  subject: `Join ${accountName}`,
  text: `${inviterName} invites you to join the account "${accountName}" as ${role}.

Sign up or in with this address (${email}), verify it, and send this request within 48 hours:

POST ${publicUrl}/api/auth/invitations/${id}/accept

If you do not know them, ignore this mail.
`,
});
