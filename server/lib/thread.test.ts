import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inThread, LimitReached } from './thread.ts';

const counter = new Int32Array(new SharedArrayBuffer(4));
const run = (how: string, milliseconds = 60_000, loading = 60_000) =>
  inThread('../test/support/limited-thread', { how, counter }, { milliseconds, megabytes: 32, loading });

test('a thread that never ends is ended at its deadline, and does not hold up the process', async () => {
  let turns = 0;
  const turning = setInterval(() => (turns += 1), 5);
  await expect(run('never ends', 1_500)).rejects.toThrow(LimitReached);
  clearInterval(turning);
  expect(turns).toBeGreaterThan(5);
  // It is ended a moment after its deadline: then it counts no more.
  await expect
    .poll(
      async () => {
        const before = Atomics.load(counter, 0);
        await sleep(600);
        return Atomics.load(counter, 0) - before;
      },
      { timeout: 10_000 },
    )
    .toBe(0);
  expect(Atomics.load(counter, 0)).toBeGreaterThan(0);
});

test('its deadline begins once its modules are loaded, which has a bound of its own', async () => {
  expect(await run('loads long', 1_000)).toBe(42);
  await expect(run('never loads', 60_000, 100)).rejects.toThrow(LimitReached);
});

test('a thread that takes too much memory ends alone', async () => {
  await expect(run('eats memory')).rejects.toThrow(LimitReached);
});

test('a thread answers, or its error is the caller’s', async () => {
  expect(await run('answers')).toBe(42);
  await expect(run('throws')).rejects.toThrow('planted');
  await expect(run('ends')).rejects.toThrow('ended without an answer');
});
