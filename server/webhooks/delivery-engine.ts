import type { FastifyBaseLogger } from 'fastify';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '../db/pool.ts';
import { showAccountEvent } from '../events/event.ts';
import type { Hub, Watch } from '../events/hub.ts';
import type { Encryption } from '../lib/encryption.ts';
import type { LoopName, Loops } from '../lib/loops.ts';
import type { Metrics } from '../lib/metrics.ts';
import { type Claimed, claimDeliveries } from './claim-deliveries.ts';
import { type Attempt, postDelivery } from './post-delivery.ts';
import { queueDeliveries } from './queue-deliveries.ts';
import type { ReceiverRules } from './receiver-address.ts';
import { recordAttempts, type Result } from './record-attempts.ts';
import { signedHeaders } from './sign-delivery.ts';
import { secretPurpose } from './webhook-secret.ts';

type Dependencies = {
  db: Db;
  hub: Hub;
  log: FastifyBaseLogger;
  loops: Loops;
  encryption: Encryption;
  receivers: ReceiverRules;
  metrics: Metrics;
  isCopy: boolean;
};

/** Attempts leave their slot early, so that hanging receivers delay no others. */
const slots = 64;
const slotFor = 1_000;

/** Milliseconds between looks for events, between looks for due deliveries, and after a fault. */
const queueEvery = 20;
const lookEvery = 500;
const tryAgainAfter = 1_000;

/** How long deliveries under way get when the process stops. Any process sends the rest again. */
const finishWithin = 1_500;

/**
 * Delivers events to webhook endpoints, in every process: one loop queues deliveries of new events, one
 * claims and sends due ones, one records results. All state is in the tables, so a process may be killed at
 * any moment.
 */
export class DeliveryEngine {
  readonly #parts: Dependencies;
  readonly #stopping = new AbortController();
  /** Fires when deliveries under way have used up their time. */
  readonly #expiring = new AbortController();
  /** Deliveries under way by endpoint, and results that are not recorded yet. */
  readonly #sending = new Map<string, number>();
  /** Deliveries under way that hold a slot. */
  readonly #inSlots = new Set<Claimed>();
  readonly #results: Result[] = [];
  readonly #work = createBell();
  readonly #done = createBell();
  readonly #running: Promise<unknown>;

  constructor(dependencies: Dependencies) {
    this.#parts = dependencies;
    const watch = dependencies.hub.watch(null, this.#stopping.signal);
    const names: LoopName[] = ['deliveries_queue', 'deliveries_send', 'deliveries_record'];
    for (const name of names) dependencies.loops.succeeded(name);
    this.#running = Promise.all([
      this.#untilDone(() => this.#queue(watch), 'events were not queued for delivery'),
      this.#untilDone(() => this.#send(), 'deliveries were not claimed'),
      this.#record(),
    ]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#work.ring();
    const timer = setTimeout(() => this.#expiring.abort(), finishWithin);
    await this.#running;
    clearTimeout(timer);
  }

  async #queue(watch: Watch): Promise<void> {
    const stopped = this.#stopping.signal;
    for (let accounts: string[] | null = null; !stopped.aborted; accounts = watch.accounts()) {
      if (accounts === null || accounts.length > 0)
        while ((await queueDeliveries(this.#parts.db, accounts)) > 0 && !stopped.aborted) this.#work.ring();
      this.#parts.loops.succeeded('deliveries_queue');
      this.#work.ring(); // tests and redeliveries move no cursor
      await wait(queueEvery);
      await watch.next();
    }
  }

  async #send(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const free = slots - this.#inSlots.size;
      const claimed = free > 0 ? await claimDeliveries(this.#parts.db, free, this.#sending) : [];
      this.#parts.loops.succeeded('deliveries_send');
      for (const delivery of claimed) {
        if (this.#parts.isCopy) delivery.once = true; // `receivers` refuses it: it is neither sent nor tried again
        this.#count(delivery.endpoint_id, 1);
        this.#inSlots.add(delivery);
        void this.#attempt(delivery);
      }
      if (claimed.length === 0) await this.#work.rings(lookEvery);
    }
  }

  async #attempt(delivery: Claimed): Promise<void> {
    const timer = setTimeout(() => this.#leaveSlot(delivery), slotFor);
    this.#results.push(await attemptDelivery(this.#parts, delivery));
    clearTimeout(timer);
    this.#done.ring();
  }

  #leaveSlot(delivery: Claimed): void {
    this.#inSlots.delete(delivery);
    this.#work.ring();
  }

  async #record(): Promise<void> {
    const isOver = () => this.#stopping.signal.aborted && (this.#sending.size === 0 || this.#expiring.signal.aborted);
    while (!isOver()) {
      await this.#done.rings(lookEvery);
      const results = this.#results.splice(0);
      // Results are kept while the database is away; if it stays away, the deliveries become due again.
      if (results.length > 0)
        await this.#untilDone(() => this.#write(results), 'what came of deliveries was not written');
      this.#parts.loops.succeeded('deliveries_record');
      for (const { delivery } of results) {
        this.#count(delivery.endpoint_id, -1);
        this.#leaveSlot(delivery);
      }
    }
  }

  async #write(results: readonly Result[]): Promise<void> {
    const { db, metrics, isCopy } = this.#parts;
    for (const outcome of await recordAttempts(db, results))
      metrics.count('atelier_webhook_attempts_total', isCopy ? 'dropped' : outcome);
  }

  #count(endpointId: string, change: 1 | -1): void {
    const sending = (this.#sending.get(endpointId) ?? 0) + change;
    if (sending === 0) this.#sending.delete(endpointId);
    else this.#sending.set(endpointId, sending);
  }

  /** Retries after a database fault until it works or the process stops. */
  async #untilDone(run: () => Promise<void>, message: string): Promise<void> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#parts.log.warn({ err: error }, message);
        await wait(tryAgainAfter);
      }
    }
  }
}

async function attemptDelivery({ encryption, receivers, log }: Dependencies, delivery: Claimed): Promise<Result> {
  const send = async (): Promise<Attempt> => {
    if (delivery.event === null) return failed('The event is no longer kept.');
    const event = showAccountEvent(delivery.event);
    const body = JSON.stringify({ type: event.type, timestamp: event.created_at, data: event });
    const secrets = delivery.secrets.map((ciphertext) => encryption.decrypt(secretPurpose, ciphertext));
    return postDelivery(receivers, delivery.url, signedHeaders(secrets, event.id, delivery.at, body), body);
  };
  const attempt = await send().catch((error: unknown) => {
    log.error({ err: error, delivery: delivery.id }, 'a delivery could not be sent');
    return failed('It could not be sent.');
  });
  return { delivery, attempt };
}

const failed = (error: string): Attempt => ({ status: null, error, ms: 0, answer: null, retryAfter: null });

/** A bell that wakes a waiting caller, or the next one to wait. */
function createBell() {
  let rung = false;
  let wake = () => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    async rings(within: number): Promise<void> {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, within);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      rung = false;
    },
  };
}
