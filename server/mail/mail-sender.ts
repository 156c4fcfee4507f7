import type { FastifyBaseLogger } from 'fastify';
import type { Studio } from '../../contract/studio/studio.ts';
import { type Db, listenToCommits } from '../db/pool.ts';
import { deadlines } from '../lib/deadlines.ts';
import type { Loops } from '../lib/loops.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Signer } from '../lib/signer.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { Refusal } from '../http/refusal.ts';
import { type ClaimedMail, claimMails, forgetMail, postponeMail, returnMail } from './claim-mails.ts';
import { type Letter, type MailKind, writeEmail } from './letter.ts';
import { mailKinds } from './kinds.ts';
import { wantsMail } from './notification-choice.ts';
import { unsubscribePath } from './unsubscribe-token.ts';
import { connections, Refused, type Transport } from './transport.ts';

type Dependencies = {
  db: Db;
  log: FastifyBaseLogger;
  loops: Loops;
  mail: Transport;
  publicUrl: string;
  catalog: { readonly studio: Studio };
  rates: RateLimiter<'receive_mail'>;
  metrics: Metrics;
  signer: Signer;
  isCopy: boolean;
};

/** Milliseconds: between looks for due mails, and for running deliveries when the process stops. */
const lookEvery = 5_000;
const finishWithin = 1_500;
/** More may take longer than a statement may. */
const dropAtOnce = 2_000;

/** Runs in every process. Mails queued by this process are sent right after the commit. */
export class MailSender {
  readonly #parts: Dependencies;
  #looking: NodeJS.Timeout | null = null;
  #stopping = false;
  readonly #ending = new AbortController();
  #due = false;
  #run: Promise<void> | null = null;
  /** Whether the last attempt failed before reaching a recipient. */
  #down = false;

  constructor(dependencies: Dependencies) {
    this.#parts = dependencies;
    listenToCommits(dependencies.db, () => this.wake(), 'mail');
  }

  /** Whether the mail server took what was last sent. */
  get isUp(): boolean {
    return !this.#down;
  }

  start(): void {
    this.#parts.loops.succeeded('mails');
    this.wake();
    this.#looking = setInterval(() => this.wake(), lookEvery);
  }

  wake(): void {
    this.#due = true;
    if (!this.#stopping) this.#run ??= this.#sendAll();
  }

  async idle(): Promise<void> {
    await this.#run;
  }

  /** Running deliveries get a moment to finish. Unsent mails return to the outbox. */
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
        this.#parts.log.warn({ err: error }, 'could not read the mail outbox');
      }
    }
    this.#run = null;
  }

  /** Returns whether more may be due. False while the mail server is down: every mail would wait for it. */
  async #sendSome(): Promise<boolean> {
    if (this.#parts.isCopy) return this.#dropSome();
    const claimed = await claimMails(this.#parts.db, connections);
    const attempts = await Promise.allSettled(claimed.map((mail) => this.#attempt(mail)));
    const failed = attempts.find((attempt) => attempt.status === 'rejected');
    if (failed) throw failed.reason;
    this.#parts.loops.succeeded('mails');
    return claimed.length === connections && !this.#down;
  }

  /** Those that would be due later, too. */
  async #dropSome(): Promise<boolean> {
    const { db, log, loops, metrics } = this.#parts;
    const some = db.selectFrom('mails').select('id').limit(dropAtOnce);
    const { numDeletedRows } = await db.deleteFrom('mails').where('id', 'in', some).executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) log.info({ mails: Number(numDeletedRows) }, 'dropped mails: this is a copy');
    metrics.count('atelier_mails_total', 'dropped', Number(numDeletedRows));
    loops.succeeded('mails');
    return Number(numDeletedRows) === dropAtOnce;
  }

  async #attempt(mail: ClaimedMail): Promise<void> {
    const { db, log, metrics } = this.#parts;
    const logged = { mail: mail.id, kind: mail.kind };
    try {
      await this.#send(mail);
      await forgetMail(db, mail.id);
    } catch (error) {
      if (this.#ending.signal.aborted) return void (await returnMail(db, mail.id));
      if (error instanceof Refused && error.final) {
        log.error({ ...logged, answer: error.answer }, 'the mail server refused a mail: it will not be sent');
        metrics.count('atelier_mails_total', 'refused');
        return void (await forgetMail(db, mail.id));
      }
      this.#noteFault(error, logged);
      if (await postponeMail(db, mail)) return;
      log.error(logged, 'gave up a mail: it would arrive too late');
      metrics.count('atelier_mails_total', 'given_up');
    }
  }

  async #send({ id, kind: name, about, attempts, expired }: ClaimedMail): Promise<void> {
    const { catalog, db, log, mail, metrics, publicUrl, rates, signer } = this.#parts;
    const drop = (why: string) => log.info({ mail: id, kind: name, why }, 'dropped a mail');
    const kind: MailKind<never> = mailKinds[name];
    if (expired) return drop('expired');
    if (kind.counted && attempts === 1 && !(await mayReceive(rates, about.address))) return drop('too many');
    const letter = await kind.compose(db, about as never, catalog.studio);
    if (!letter) return drop('no purpose');
    if (!(await isWanted(db, about.userId, letter))) return drop('not wanted');
    const endPath = letter.of ? unsubscribePath(signer, about.userId, letter.of) : null;
    await mail.send(
      writeEmail(id, publicUrl, catalog.studio, letter, endPath),
      AbortSignal.any([this.#ending.signal, AbortSignal.timeout(deadlines.mail.send)]),
    );
    metrics.count('atelier_mails_total', 'sent');
    if (this.#down) log.info('mails are being sent again');
    this.#down = false;
  }

  #noteFault(error: unknown, logged: { mail: string; kind: string }): void {
    const { log } = this.#parts;
    if (error instanceof Refused)
      return log.warn({ ...logged, answer: error.answer }, 'the mail server deferred a mail: it will be sent later');
    const { responseCode, message } = error as Error & { responseCode?: number };
    // Logs only the code, because an answer may contain addresses.
    if (!this.#down) log.warn({ ...logged, fault: responseCode ?? message }, 'mails cannot be sent: they wait');
    this.#down = true;
  }
}

/** The choice may have changed since the mail was queued. That of a day reads the choices of its parts. */
const isWanted = async (db: Db, userId: string, { of }: Letter) =>
  of === undefined || of === 'daily' || wantsMail(db, userId, of);

async function mayReceive(rates: RateLimiter<'receive_mail'>, recipient: string): Promise<boolean> {
  try {
    await rates.spend('receive_mail', { recipient });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
