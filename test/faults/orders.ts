import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { draft } from '../support/jobs.ts';
import type { Random } from './figure.ts';
import { openIntentLog, type Outcome as Learned } from './intent.ts';
import { type Asks, asksTo, type Outcome } from './load.ts';
import type { Customer, World } from './world.ts';

/** `origins`: clients begin at one after the other; a repeat goes to the next. */
type Terms = { customer: Customer; clients: number; origins: readonly string[]; random: Random };

/** How long a key is tried after the end. */
const patience = 60_000;

/**
 * Clients that order jobs as a careful caller does: a new key for each job, and the same key again until it is
 * answered. Each writes what it intends before it sends.
 */
export async function beginOrders({ folder, closing }: World, { customer, clients, origins, random }: Terms) {
  const outcomes: Outcome[] = [];
  const asks = new Map<string, Asks>(origins.map((origin) => [origin, asksTo(origin)]));
  let going = true;
  let giveUp = Infinity;

  async function order(log: Log, key: string, begin: number): Promise<void> {
    for (let at = begin; performance.now() < giveUp && !closing.aborted; at++) {
      await log.intend(key, 'create');
      const ask = asks.get(origins[at % origins.length]!)!;
      const outcome = await ask('POST', '/api/v1/jobs', { as: customer.key, key, body: draft });
      outcomes.push(outcome);
      const learned = learn(outcome);
      await log.learn(key, learned);
      if (learned.came !== 'unknown') return;
      await wait(50);
    }
  }

  type Log = Awaited<ReturnType<typeof openIntentLog>>;
  const logs = await Promise.all(
    Array.from({ length: clients }, (_, n) => openIntentLog(join(folder, `intents-${n}-${randomUUID()}.jsonl`))),
  );
  async function client(log: Log, n: number): Promise<void> {
    for (let count = 0; going && !closing.aborted; count++) {
      const key = `client-${n}-${count}`;
      await order(log, key, n);
      // Some ask again although they were answered.
      if (random.next() < 0.2) await order(log, key, n + 1);
    }
    await log.close();
  }
  const done = Promise.all(logs.map(client));
  done.catch(() => {}); // `stop` tells of it
  return {
    outcomes,
    /** Brings each begun key to an answer. Returns the logs. */
    async stop(): Promise<string[]> {
      going = false;
      giveUp = performance.now() + patience;
      await done;
      for (const ask of asks.values()) ask.close();
      return logs.map(({ path }) => path);
    },
  };
}
export type Orders = Awaited<ReturnType<typeof beginOrders>>;

/** A 5xx may have taken effect, as far as a caller knows. */
function learn({ status, code, body }: Outcome): Learned {
  if (status === 200 || status === 201) return { came: 'ok', id: body.job.id };
  return status >= 400 && status < 500 ? { came: 'refused', code: code ?? String(status) } : { came: 'unknown' };
}
