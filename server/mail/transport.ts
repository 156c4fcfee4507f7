import { deadlines } from '../lib/deadlines.ts';
import { inSpan } from '../lib/trace.ts';
import type { Email } from './letter.ts';
import type { Mailbox } from './mailbox.ts';

export type Transport = {
  /** Resolves once the mail server has accepted the mail. Throws `Refused` if it rejects this mail. */
  send(email: Email, ended: AbortSignal): Promise<void>;
  /** Greets the mail server and signs in, over TLS if `encrypted`, without sending. */
  verify(terms?: { encrypted: true }): Promise<void>;
  close(): void;
};

type Settings = { smtpUrl: string | null; from: string; publicUrl: string };

/** Parallel connections to the mail server. */
export const connections = 5;

/** The mail server rejected this mail, its recipient or its text. `final`: retrying is useless. */
export class Refused extends Error {
  readonly answer: number;
  readonly final: boolean;

  constructor(answer: number) {
    super(`The mail server answered ${answer}.`);
    this.answer = answer;
    this.final = answer >= 500;
  }
}

/** Sends by SMTP. Without `smtpUrl`, which production requires, mails go to the mailbox. */
export function createTransport({ smtpUrl, from, publicUrl }: Settings, mailbox: Mailbox): Transport {
  if (smtpUrl === null) return { send: (email) => mailbox.keep(email), verify: async () => {}, close: () => {} };
  const { hostname } = new URL(publicUrl);
  const { connect: connectionTimeout, greet: greetingTimeout, silence: socketTimeout } = deadlines.mail;
  const timeouts = { connectionTimeout, greetingTimeout, socketTimeout };
  const opened = import('nodemailer').then(({ createTransport: create }) =>
    create({ url: smtpUrl, pool: true, maxConnections: connections, maxRequeues: 0, ...timeouts }),
  );
  return {
    async send({ id, to, subject, text, html, senderName, unsubscribe }, signal) {
      const smtp = await opened;
      const mail = {
        from: senderOf(from, senderName),
        to,
        subject,
        text,
        html,
        signal,
        messageId: `<${id}@${hostname}>`,
      };
      const headers = {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribe === null
          ? {}
          : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      };
      await inSpan('smtp send', {}, () => smtp.sendMail({ ...mail, headers })).catch((error: SmtpError) => {
        const { command = '', responseCode } = error;
        // A rejected login or sender concerns all mails and may be repaired before the next attempt.
        const aboutMail = ['RCPT TO', 'DATA'].includes(command) && responseCode !== undefined;
        throw aboutMail ? new Refused(responseCode) : error;
      });
    },
    async verify(terms) {
      if (!terms) return void (await (await opened).verify());
      const { createTransport: create } = await import('nodemailer');
      await create({ url: smtpUrl, requireTLS: true, ...timeouts }).verify();
    },
    close: () => void opened.then((smtp) => smtp.close({ force: true })),
  };
}

/** The studio's name stands for the one of the configuration, such as `Atelier <atelier@example.com>`. */
const senderOf = (from: string, name: string | null) =>
  name === null ? from : { name, address: /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from };

type SmtpError = Error & { responseCode?: number; command?: string };
