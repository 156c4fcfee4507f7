import { deadlines } from '../lib/deadlines.ts';
import type { Email } from './letter.ts';
import type { Mailbox } from './mailbox.ts';

export type Transport = {
  /** Resolves once the mail server has taken the mail. Throws a `Refused` where it answers that it does not. */
  send(email: Email, ended: AbortSignal): Promise<void>;
  close(): void;
};

type Settings = { smtpUrl: string | null; from: string; publicUrl: string };

/** Mails that are sent at once, each on a connection of its own. */
export const connections = 5;

/** What the mail server answers about one mail: its recipient or its text. `final`: it will not take it later either. */
export class Refused extends Error {
  readonly answer: number;
  readonly final: boolean;

  constructor(answer: number) {
    super(`The mail server answered ${answer}.`);
    this.answer = answer;
    this.final = answer >= 500;
  }
}

/** Sends by SMTP. Without `smtpUrl` (never in production) mails are kept where the one who tries the service can read them. */
export function createTransport({ smtpUrl, from, publicUrl }: Settings, mailbox: Mailbox): Transport {
  if (smtpUrl === null) return { send: (email) => mailbox.keep(email), close: () => {} };
  const { hostname } = new URL(publicUrl);
  const { connect: connectionTimeout, greet: greetingTimeout, silence: socketTimeout } = deadlines.mail;
  const timeouts = { connectionTimeout, greetingTimeout, socketTimeout };
  const opened = import('nodemailer').then(({ createTransport: create }) =>
    create({ url: smtpUrl, pool: true, maxConnections: connections, maxRequeues: 0, ...timeouts }, { from }),
  );
  return {
    async send({ id, to, subject, text, html }, signal) {
      const smtp = await opened;
      const mail = { to, subject, text, html, signal, messageId: `<${id}@${hostname}>` };
      const headers = { 'Auto-Submitted': 'auto-generated' };
      await smtp.sendMail({ ...mail, headers }).catch((error: SmtpError) => {
        const { command = '', responseCode } = error;
        // A login or a sender that it refuses is a matter of all mails, and may be put right meanwhile.
        const aboutMail = ['RCPT TO', 'DATA'].includes(command) && responseCode !== undefined;
        throw aboutMail ? new Refused(responseCode) : error;
      });
    },
    close: () => void opened.then((smtp) => smtp.close({ force: true })),
  };
}

type SmtpError = Error & { responseCode?: number; command?: string };
