import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUntilStopped } from './creates.ts';
import { type Customer, demoCustomer, expectBooksToAgree, type Faulty, newCustomer, openFaulty } from './house.ts';
import { type Asks, asksTo, firstGood, msOf, repeat, tally, wrongs } from './load.ts';
import { ask, connect } from './postgres.ts';

/** A transaction outside the service holds a row, and the pool is small. */

let service: Faulty;
let asks: Asks;
let ada: Customer;
let bob: Customer;
beforeAll(async () => {
  service = await openFaulty({ DATABASE_POOL: '5' });
  asks = asksTo(service.url);
  ada = await demoCustomer(service);
  bob = await newCustomer(service);
});
afterAll(async () => {
  asks.close();
  await service.close();
});

test('a locked account keeps nobody else from creating and reading, and goes on within two seconds of its release', async () => {
  const outside = await connect(service.folder);
  const held = async () => {
    await outside.query('begin');
    await outside.query('select from account_counters where account_id = $1 for update', [ada.person.accountId]);
  };
  const hot = createUntilStopped(asks, ada.key, 30);
  const others = createUntilStopped(asks, bob.key, 4);
  const reads = repeat(4, () => asks('GET', '/api/v1/jobs?limit=5', { as: bob.key }));
  await wait(1_000);
  await held();
  const locked = performance.now();
  await wait(7_000);
  await outside.query('rollback');
  const freed = performance.now();
  await wait(1_500);
  await Promise.all([hot, others, reads].map((load) => load.stop()));
  await outside.end();
  for (const [name, load] of Object.entries({hot, others, reads})) {
    const during = load.outcomes.filter((o) => o.began > locked && o.began + o.ms < freed);
    console.log(name, JSON.stringify(tally(during)), 'max', Math.max(...msOf(during)), 'all', JSON.stringify(tally(load.outcomes)), 'first', firstGood(load.outcomes, freed));
  }
  expect(wrongs([hot, others, reads].flatMap(({ outcomes }) => outcomes))).toEqual([]);
  await expectBooksToAgree(service, ada, hot.made);
  await expectBooksToAgree(service, bob, others.made);
});
