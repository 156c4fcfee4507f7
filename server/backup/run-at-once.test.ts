import { setTimeout as wait } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { runAtOnce } from './run-at-once.ts';

const numbers = (count: number) => Readable.from(Array.from({ length: count }, (_, n) => n));

test('each item has its turn, and no more run at once than are allowed', async () => {
  let [now, most] = [0, 0];
  const seen: number[] = [];
  await runAtOnce<number>(3, numbers(20), async (item) => {
    most = Math.max(most, ++now);
    await wait(1);
    seen.push(item);
    now--;
  });
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(most).toBe(3);
});

test('the first failure is thrown once all that was under way has ended, and nothing begins after it', async () => {
  const [begun, ended]: number[][] = [[], []];
  const failing = runAtOnce<number>(4, numbers(100), async (item, signal) => {
    begun!.push(item);
    try {
      if (item === 5) throw new Error('full');
      await wait(item < 5 ? 5 : 10_000, undefined, { signal });
      await wait(20);
    } finally {
      ended!.push(item);
    }
  });
  await expect(failing).rejects.toThrow('full');
  expect(ended!.toSorted()).toEqual(begun!.toSorted());
  expect(begun!.length).toBeLessThan(12);
});

test('a list that fails is thrown, too', async () => {
  async function* broken() {
    yield 1;
    throw new Error('no list');
  }
  await expect(runAtOnce(4, broken(), () => wait(10))).rejects.toThrow('no list');
});
