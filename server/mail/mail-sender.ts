import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/pool.ts';
import { listenToCommits } from '../db/transact.ts';
import { deadlines } from '../lib/deadlines.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { Refusal } from '../http/refusal.ts';
import { type ClaimedMail, claimMails, forgetMail, postponeMail, returnMail } from './claim-mails.ts';
import type { MailKind } from './kind.ts';
import { mailKinds } from './kinds.ts';
import { writeEmail } from './letter.ts';
import { connections, Refused, type Transport } from './transport.ts';

type Parts = {
  db: Db;
  log: FastifyBaseLogger;
  mail: Transport;
  publicUrl: string;
  rates: RateLimiter<'receive_mail'>;
};

/** Milliseconds: between looks for mails of other processes and those that come due; for what is under way at a stop. */
const lookEvery = 5_000;
const finishWithin = 1_500;

/** Sends what the outbox has, in every process: at once what a commit of this one has queued. */
export class MailSender {
  readonly #parts: Parts;
  #looking: NodeJS.Timeout | null = null;
  #stopping = false;
  readonly #ending = new AbortController();
  /** Mails may be due. */
  #due = false;
  #run: Promise<void> | null = null;
  /** Whether the last attempt did not get as far as a recipient. */
  #down = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    listenToCommits(parts.db, () => this.wake(), 'mail');
  }

  start(): void {
    this.wake();
    this.#looking = setInterval(() => this.wake(), lookEvery);
  }

  wake(): void {
    this.#due = true;
    if (!this.#stopping) this.#run ??= this.#sendAll();
  }

  /** Resolves once nothing is being sent. */
  async idle(): Promise<void> {
    await this.#run;
  }

  /** What is under way has a moment; what it leaves goes back to the outbox. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#looking) clearInterval(this.#looking);
    const timer = setTimeout(() => this.#ending.abort(), finishWithin);
    await this.#run;
    clearTimeout(timer);
    this.#parts.mail.close();
  }

  async #sendAll(): Promise<void> {
    while (this.#due && !this.#stopping) {
      this.#due = false;
      try {
        while (!this.#stopping && (await this.#sendSome()));
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'the outbox of mails could not be read');
      }
    }
    this.#run = null;
  }

  /** Whether more may be due. Not while the mail server is away: the others would each wait for it too. */
  async #sendSome(): Promise<boolean> {
    const claimed = await claimMails(this.#parts.db, connections);
    const attempts = await Promise.allSettled(claimed.map((mail) => this.#attempt(mail)));
    const failed = attempts.find((attempt) => attempt.status === 'rejected');
    if (failed) throw failed.reason;
    return claimed.length === connections && !this.#down;
  }

  async #attempt(mail: ClaimedMail): Promise<void> {
    const { db, log } = this.#parts;
    const told = { mail: mail.id, kind: mail.kind };
    try {
      await this.#send(mail);
      await forgetMail(db, mail.id);
    } catch (error) {
      if (this.#ending.signal.aborted) return void (await returnMail(db, mail.id));
      if (error instanceof Refused && error.final) {
        log.error({ ...told, answer: error.answer }, 'the mail server refused a mail: it is not sent');
        return void (await forgetMail(db, mail.id));
      }
      this.#noteFault(error, told);
      if (!(await postponeMail(db, mail))) log.error(told, 'a mail was given up: it would come too late');
    }
  }

  async #send({ id, kind: name, about, attempts, expired }: ClaimedMail): Promise<void> {
    const { db, log, mail, publicUrl, rates } = this.#parts;
    const drop = (why: string) => log.info({ mail: id, kind: name, why }, 'a mail was dropped');
    const kind: MailKind<never> = mailKinds[name];
    if (expired) return drop('expired');
    if (kind.counted && attempts === 1 && !(await mayReceive(rates, about.address))) return drop('too many');
    const letter = await kind.compose(db, about as never);
    if (!letter) return drop('no purpose');
    await mail.send(
      writeEmail(id, publicUrl, letter),
      AbortSignal.any([this.#ending.signal, AbortSignal.timeout(deadlines.mail.send)]),
    );
    if (this.#down) log.info('mails go out again');
    this.#down = false;
  }

  #noteFault(error: unknown, told: { mail: string; kind: string }): void {
    const { log } = this.#parts;
    if (error instanceof Refused)
      return log.warn({ ...told, answer: error.answer }, 'the mail server put a mail off: it is sent again later');
    const { responseCode, message } = error as Error & { responseCode?: number };
    // An answer may hold addresses, so only its code is logged.
    if (!this.#down) log.warn({ ...told, fault: responseCode ?? message }, 'mails do not go out: they wait');
    this.#down = true;
  }
}

async function mayReceive(rates: RateLimiter<'receive_mail'>, recipient: string): Promise<boolean> {
  try {
    await rates.spend('receive_mail', { recipient });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
