import type { FastifyBaseLogger } from 'fastify';
import type { RateLimiter } from '../http/rate-limit.ts';
import { Refusal } from '../http/refusal.ts';
import type { Email, Mail } from '../lib/mail.ts';

export type Outbox = {
  /** A mail that anybody can have sent by naming an address: only so many an hour reach it. */
  sendAsked(email: Email): void;
  /** What a person must be told. */
  sendNotice(email: Email): void;
};

/** In the background: no answer waits for the mail server, nor tells by its time whether a mail was sent. */
export function createOutbox(mail: Mail, rates: RateLimiter<'receive_mail'>, log: FastifyBaseLogger): Outbox {
  const send = (email: Email) =>
    mail
      .send(email)
      .catch((error: unknown) => log.error({ err: error, subject: email.subject }, 'a mail was not sent'));
  const sendAsked = async (email: Email) => {
    try {
      await rates.spend('receive_mail', { recipient: email.to });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return log.info({ subject: email.subject }, 'a mail was held back: its address has had enough of them');
    }
    return send(email);
  };
  return {
    sendAsked: (email) =>
      void sendAsked(email).catch((error: unknown) => log.error({ err: error }, 'a mail could not be counted')),
    sendNotice: (email) => void send(email),
  };
}
