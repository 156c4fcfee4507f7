import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { atMost } from './at-most.ts';

test('so many at a time, in the order of coming, also after one that failed', async () => {
  const inTurn = atMost(3);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const all = Array.from({ length: 50 }, (_, n) =>
    inTurn(async () => {
      begun.push(n);
      most = Math.max(most, ++running);
      await wait(n % 4);
      running--;
      if (n % 7 === 0) throw new Error('failed');
      return n;
    }).catch(() => null),
  );
  const answers = await Promise.all(all);
  expect(most).toBe(3);
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  expect(answers).toEqual(Array.from({ length: 50 }, (_, n) => (n % 7 === 0 ? null : n)));
});
