import { createTransport } from 'nodemailer';

export type Email = { to: string; subject: string; text: string };
export type Mail = { send(email: Email): Promise<void> };

/** Sends by SMTP. Without `smtpUrl` (never in production) the email is printed instead, so that its link can be followed. */
export function createMail(smtpUrl: string | null, from: string, print: (email: Email) => void): Mail {
  if (smtpUrl === null) return { send: async (email) => print(email) };
  const transport = createTransport(smtpUrl, { from });
  return { send: async (email) => void (await transport.sendMail(email)) };
}
