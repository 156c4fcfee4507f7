import { createTransport } from 'nodemailer';

export type Letter = { to: string; subject: string; text: string };
export type Mail = { send(letter: Letter): Promise<void> };

/** Sends by SMTP. Without `smtpUrl` (never in production) the letter is printed instead, so that its link can be followed. */
export function createMail(smtpUrl: string | null, from: string, print: (letter: Letter) => void): Mail {
  if (smtpUrl === null) return { send: async (letter) => print(letter) };
  const transport = createTransport(smtpUrl, { from });
  return { send: async (letter) => void (await transport.sendMail(letter)) };
}
