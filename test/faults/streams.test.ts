import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { followEvents, type Followed } from '../support/event-stream.ts';
import { createStudio, newCustomer, newJob, type Studio } from '../support/jobs.ts';
import { end } from './faulty-service.ts';
import { slack } from './load.ts';
import { freePort, openFolder, removeFolder, run, untilServing } from './process.ts';

/** Streams of a process that is told to stop. `FAULTS=long`: a thousand of them. */
const accounts = process.env.FAULTS === 'long' ? 50 : 3;
const perAccount = 20;

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

let studio: Studio;
let folder: string;
beforeAll(async () => {
  studio = await createStudio();
  folder = await openFolder();
});
afterAll(async () => {
  await studio.service.close();
  await removeFolder(folder);
});

test(`SIGTERM with ${accounts * perAccount} streams: bye to each, gone within 2 s, and resumed without loss`, async () => {
  const port = String(await freePort());
  const env = { DATABASE_URL: studio.service.databaseUrl, PORT: port, DATA_DIR: folder, LOG_LEVEL: 'warn' };
  const url = `http://127.0.0.1:${port}`;
  const first = run(env);
  await untilServing(url, first);
  const customers = [];
  for (let n = 0; n < accounts; n++) customers.push(await newCustomer(studio.service, 'studio'));
  const streams: { stream: Followed; token: string; key: string }[] = [];
  for (const { person, key } of customers)
    streams.push(
      ...(await Promise.all(
        Array.from({ length: perAccount }, async () => ({
          stream: await followEvents({ url }, person.token),
          token: person.token,
          key,
        })),
      )),
    );
  for (const { key } of customers) await newJob(studio.service, key);
  const seen = await Promise.all(streams.map(async ({ stream }) => (await stream.events(1))[0]?.id));
  const ended = streams.map(async ({ stream }) => {
    const entries = [];
    for (let entry = await stream.next(); entry; entry = await stream.next()) entries.push(entry.event);
    return entries.at(-1);
  });
  const told = performance.now();
  const exit = once(first.child, 'exit');
  first.child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  const took = performance.now() - told;
  expect(await Promise.all(ended)).toEqual(streams.map(() => 'bye'));
  process.stdout.write(`SIGTERM with ${streams.length} streams: gone in ${Math.round(took)} ms\n`);
  expect(took).toBeLessThan(2_000 + slack());

  for (const { key } of customers) await newJob(studio.service, key); // while nobody serves there
  const second = run(env);
  await untilServing(url, second);
  // Account by account, as they were opened: a busy process may refuse some of a thousand at once for a while.
  const resumed: number[] = [];
  for (let from = 0; from < streams.length; from += perAccount)
    resumed.push(
      ...(await Promise.all(
        streams.slice(from, from + perAccount).map(async ({ token }, n) => {
          const last = seen[from + n] ?? '';
          const stream = await followEvents({ url }, token, { lastEventId: last });
          const [event] = await stream.events(1);
          await stream.close();
          return Number(event?.id) - Number(last);
        }),
      )),
    );
  expect(resumed).toEqual(streams.map(() => 1));
  await wait(100);
  await end(second, 'SIGTERM');
});
