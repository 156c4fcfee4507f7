import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { draft } from '../support/jobs.ts';
import type { Asks, Outcome } from './load.ts';

/**
 * Clients that create jobs as a careful caller does: a new key for each job, and the same key again until it is
 * answered with a job. Whatever came of the first tries, one key is to make one job.
 */
export function createUntilStopped(asks: Asks, as: string, clients: number, made = new Map<string, string>()) {
  const outcomes: Outcome[] = [];
  /** Keys that were answered with two different jobs. */
  const torn: string[] = [];
  let going = true;

  async function create(key: string): Promise<void> {
    // After the end too: each key that was begun is brought to its job.
    for (;;) {
      const outcome = await asks('POST', '/api/v1/jobs', { as, key, body: draft });
      outcomes.push(outcome);
      if (outcome.status === 201 || outcome.status === 200) {
        const before = made.get(key);
        if (before !== undefined && before !== outcome.body.job.id) torn.push(key);
        made.set(key, outcome.body.job.id);
        return;
      }
      if (outcome.status >= 400 && outcome.status < 500) throw new Error(`${outcome.status} ${outcome.code}`);
      await wait(100);
    }
  }

  async function client(): Promise<void> {
    while (going) {
      const key = randomUUID();
      await create(key);
      // Now and then a caller asks again although it was answered.
      if (made.size % 5 === 0) await create(key);
      await wait(20);
    }
  }
  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    made,
    torn,
    outcomes,
    async stop(): Promise<void> {
      going = false;
      await all;
    },
  };
}
