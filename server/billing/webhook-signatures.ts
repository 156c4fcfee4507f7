import { sql } from 'kysely';
import pTimeout from 'p-timeout';
import type { FastifyBaseLogger } from 'fastify';
import { receiveWebhook } from '../../contract/plans/billing.ts';
import { databaseTime, type Db } from '../db/pool.ts';
import type { Metrics } from '../lib/metrics.ts';
import { readSignatures, type Signatures } from './webhook-health.ts';
import type { Verdict } from './signature.ts';

/** Milliseconds between two writes, and after one that failed. */
const writeEvery = 1_000;
const writeAgainAfter = 5_000;
/** Between two log lines of a process. */
const warnEvery = 60_000;
/** How long an answer of the database serves everybody who asks, and how long they wait for it. */
const lookFor = 5_000;
const answerWithin = 1_000;

/** Times are those of `performance.now()`. */
type Batch = {
  accepted: number;
  acceptedAt: number | null;
  firstMatchedAt: number | null;
  otherModeAt: number | null;
  refused: number;
  refusedAt: number | null;
  /** Since the last accepted one of the batch. */
  refusedSince: number;
  refusedFirstAt: number | null;
  untimelyAt: number | null;
  untimelySeconds: number | null;
};

const emptyBatch: Batch = {
  accepted: 0,
  acceptedAt: null,
  firstMatchedAt: null,
  otherModeAt: null,
  refused: 0,
  refusedAt: null,
  refusedSince: 0,
  refusedFirstAt: null,
  untimelyAt: null,
  untimelySeconds: null,
};

type Dependencies = { db: Db; log: FastifyBaseLogger; metrics: Pick<Metrics, 'count'>; publicUrl: string };

/**
 * Notes what became of the signatures at the provider's webhook. Anybody may post there, so a refused post
 * costs the database nothing: the process counts, and writes at most once a second.
 */
export class WebhookSignatures {
  readonly #parts: Dependencies;
  #batch = emptyBatch;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #stopped = false;
  #mayWriteAt = -Infinity;
  #hasFailed = false;
  /** Milliseconds from `performance.now()` to the time of the database. */
  #offset = -Infinity;
  #warnedAt = -Infinity;
  #unsaid = 0;
  #look: { at: number; signatures: Promise<Signatures | null> } | null = null;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /** An event of the other mode says nothing about the secret of the events that count here. */
  accepted({ byFirst }: { byFirst: boolean }, isOtherMode: boolean): void {
    const at = performance.now();
    this.#parts.metrics.count('atelier_provider_signatures_total', isOtherMode ? 'other_mode' : 'accepted');
    if (isOtherMode) return this.#add({ ...emptyBatch, otherModeAt: at });
    this.#add({ ...emptyBatch, accepted: 1, acceptedAt: at, firstMatchedAt: byFirst ? at : null });
  }

  /** A post without a signature of the right form is somebody else's, and says nothing about the secret. */
  refused(verdict: Exclude<Verdict, { outcome: 'accepted' }>): void {
    const at = performance.now();
    this.#parts.metrics.count('atelier_provider_signatures_total', verdict.outcome);
    if (verdict.outcome === 'unsigned') return;
    const untimely =
      verdict.outcome === 'untimely' ? { untimelyAt: at, untimelySeconds: inRange(verdict.seconds) } : {};
    this.#add({ ...emptyBatch, refused: 1, refusedAt: at, refusedSince: 1, refusedFirstAt: at, ...untimely });
    this.#warn(verdict.outcome === 'untimely' ? verdict.seconds : null);
  }

  /** As the database has it for all processes, or had it last; null: it never answered. */
  async latest(): Promise<Signatures | null> {
    const before = this.#look;
    if (before && performance.now() - before.at < lookFor) return before.signatures;
    const answer = pTimeout(readSignatures(this.#parts.db), { milliseconds: answerWithin });
    const signatures = answer.catch(async () => (await before?.signatures) ?? null);
    this.#look = { at: performance.now(), signatures };
    return signatures;
  }

  /** What was noted is written once more; without a database it is lost after a second. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await pTimeout(this.writeNow(), { milliseconds: answerWithin, fallback: () => {} });
  }

  /** Writes what was noted so far now, instead of at the next interval. */
  async writeNow(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  #add(batch: Batch): void {
    this.#batch = append(this.#batch, batch);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer || this.#stopped) return;
    const write = () => void (this.#writing = this.#write().finally(() => this.#again()));
    this.#timer = setTimeout(write, Math.max(0, this.#mayWriteAt - performance.now())).unref();
  }

  #again(): void {
    this.#timer = null;
    if (this.#batch !== emptyBatch) this.#schedule();
  }

  async #write(): Promise<void> {
    const batch = this.#batch;
    if (batch === emptyBatch) return;
    this.#batch = emptyBatch;
    this.#mayWriteAt = performance.now() + writeEvery;
    try {
      // Two times of one process keep their order: its offset stays unless a clock was set.
      const offset = (await databaseTime(this.#parts.db)).getTime() - performance.now();
      if (Math.abs(offset - this.#offset) > 1_000) this.#offset = offset;
      await writeBatch(this.#parts.db, batch, this.#offset);
      this.#look = null;
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#parts.log.warn({ err: error }, 'signatures of the provider are not recorded yet');
      this.#hasFailed = true;
      this.#batch = append(batch, this.#batch);
      this.#mayWriteAt = performance.now() + writeAgainAfter;
    }
  }

  /** `secondsOff`: null if no secret matches. */
  #warn(secondsOff: number | null): void {
    this.#unsaid += 1;
    if (performance.now() - this.#warnedAt < warnEvery) return;
    const { log, publicUrl } = this.#parts;
    const cause =
      secondsOff !== null
        ? `signed ${words(secondsOff)} this clock. Set the clock of this machine.`
        : `signed with none of STRIPE_WEBHOOK_SECRET. If they are the provider's, nobody gets what they pay for: compare it with the signing secret of the endpoint ${publicUrl}${receiveWebhook.path} there.`;
    const fields = { code: 'invalid_signature', refused: this.#unsaid };
    log.warn(
      fields,
      `posts to the provider's webhook were refused: ${cause} doctor says whether any was accepted since.`,
    );
    this.#warnedAt = performance.now();
    this.#unsaid = 0;
  }
}

const words = (seconds: number) => `${Math.abs(seconds)} s ${seconds < 0 ? 'before' : 'after'}`;

/** The time of a replayed event may be in any year. */
const inRange = (seconds: number) => Math.max(-2_147_483_647, Math.min(2_147_483_647, seconds));

/** What was noted in the one batch, and then in the other. */
function append(earlier: Batch, later: Batch): Batch {
  const isAccepted = later.acceptedAt !== null;
  return {
    accepted: earlier.accepted + later.accepted,
    acceptedAt: later.acceptedAt ?? earlier.acceptedAt,
    firstMatchedAt: later.firstMatchedAt ?? earlier.firstMatchedAt,
    otherModeAt: later.otherModeAt ?? earlier.otherModeAt,
    refused: earlier.refused + later.refused,
    refusedAt: later.refusedAt ?? earlier.refusedAt,
    refusedSince: (isAccepted ? 0 : earlier.refusedSince) + later.refusedSince,
    refusedFirstAt: (isAccepted ? null : earlier.refusedFirstAt) ?? later.refusedFirstAt,
    untimelyAt: later.untimelyAt ?? earlier.untimelyAt,
    untimelySeconds: later.untimelySeconds ?? earlier.untimelySeconds,
  };
}

/**
 * If some refused posts lie before an accepted one of another process and some after it, only the last one is
 * known to be after it: they count as one. So no number is too high, and none that matters is 0.
 */
async function writeBatch(db: Db, batch: Batch, offset: number): Promise<void> {
  const time = (at: number | null) => (at === null ? null : new Date(at + offset));
  const accepted = sql`coalesce(greatest(w.accepted_at, excluded.accepted_at), '-infinity')`;
  const since = (row: 'w' | 'excluded') => sql`case
    when ${sql.ref(`${row}.refused_first_at`)} > ${accepted} then ${sql.ref(`${row}.refused_since`)}
    when ${sql.ref(`${row}.refused_at`)} > ${accepted} then 1 else 0 end`;
  const firstAt = (row: 'w' | 'excluded') => sql`case
    when ${sql.ref(`${row}.refused_first_at`)} > ${accepted} then ${sql.ref(`${row}.refused_first_at`)}
    when ${sql.ref(`${row}.refused_at`)} > ${accepted} then ${sql.ref(`${row}.refused_at`)} end`;
  await sql`
    insert into webhook_signatures as w (accepted, accepted_at, first_matched_at, other_mode_at, refused, refused_at,
      refused_since, refused_first_at, untimely_at, untimely_seconds)
    values (${batch.accepted}, ${time(batch.acceptedAt)}, ${time(batch.firstMatchedAt)}, ${time(batch.otherModeAt)},
      ${batch.refused}, ${time(batch.refusedAt)}, ${batch.refusedSince}, ${time(batch.refusedFirstAt)},
      ${time(batch.untimelyAt)}, ${batch.untimelySeconds})
    on conflict (only_row) do update set
      accepted = w.accepted + excluded.accepted,
      accepted_at = greatest(w.accepted_at, excluded.accepted_at),
      first_matched_at = greatest(w.first_matched_at, excluded.first_matched_at),
      other_mode_at = greatest(w.other_mode_at, excluded.other_mode_at),
      refused = w.refused + excluded.refused,
      refused_at = greatest(w.refused_at, excluded.refused_at),
      refused_since = ${since('w')} + ${since('excluded')},
      refused_first_at = least(${firstAt('w')}, ${firstAt('excluded')}),
      untimely_at = greatest(w.untimely_at, excluded.untimely_at),
      untimely_seconds = case when excluded.untimely_at >= w.untimely_at or w.untimely_at is null
        then excluded.untimely_seconds else w.untimely_seconds end`.execute(db);
}
