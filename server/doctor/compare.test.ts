import { expect, test } from 'vitest';
import { compare } from './compare.ts';
import { fail, ok, warn } from './run-checks.ts';

const line = (check: string, status: 'ok' | 'warn' | 'fail', sentence: string) => ({
  check,
  ...{ ok: ok(sentence), warn: warn(sentence, 'Do.'), fail: fail(sentence, 'Do.') }[status],
});
const told = (...[before, now]: Parameters<typeof compare>) => {
  const { appeared, solved, unchanged } = compare(before, now);
  return { appeared: appeared.map(({ check }) => check), solved: solved.map(({ check }) => check), unchanged };
};

test('what is worse is new, what is well again is solved, and the rest is counted', () => {
  const before = [line('disk', 'warn', 'Low.'), line('mail', 'fail', 'No.'), line('films', 'ok', 'Fine.')];
  const now = [line('disk', 'warn', 'Low.'), line('mail', 'ok', 'Yes.'), line('films', 'warn', 'Slow.')];
  expect(told(before, now)).toEqual({ appeared: ['films'], solved: ['mail'], unchanged: 1 });
  expect(told([], now)).toEqual({ appeared: ['disk', 'films'], solved: [], unchanged: 0 });
});

test.each([
  ['9.1 % of the disk of /data is free.', '8.7 % of the disk of /data is free.'],
  ['The last backup was recorded 27 hours ago.', 'The last backup was recorded 1,051 hours ago.'],
  ['1 job is parked: no worker gets them any more.', '2 jobs are parked: no worker gets them any more.'],
])('a number alone is no change: %s', (first, second) => {
  expect(told([line('a', 'warn', first)], [line('a', 'warn', second)])).toEqual({
    appeared: [],
    solved: [],
    unchanged: 1,
  });
});

test('other words or another status of a check are one new problem, and none is solved', () => {
  const before = [line('disk', 'warn', 'Low.')];
  expect(told(before, [line('disk', 'fail', 'Low.')])).toEqual({ appeared: ['disk'], solved: [], unchanged: 0 });
  expect(told(before, [line('disk', 'warn', 'Gone.')])).toEqual({ appeared: ['disk'], solved: [], unchanged: 0 });
});
