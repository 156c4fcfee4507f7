import { describe, expect, test } from 'vitest';
import { sayAge, sayDuration } from './duration.ts';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
const say = (milliseconds: number, smallest?: 'second') => sayDuration(milliseconds, smallest).replace(/[\s,]+/g, ' ');

describe('sayDuration', () => {
  test('two units are said while the second matters', () => {
    expect(say(3 * hour + 10 * minute)).toBe('3h 10m');
    expect(say(5 * day + 23 * hour)).toBe('5d 23h');
  });

  test('one unit is said from six of it on, or where the second is zero', () => {
    expect(say(6 * hour + 59 * minute)).toBe('6h');
    expect(say(2 * hour + 30 * second)).toBe('2h');
  });

  test('less than the smallest unit is zero of it', () => {
    expect(say(59 * second)).toBe('0m');
    expect(say(999, 'second')).toBe('0s');
    expect(say(-5 * hour)).toBe('0m');
  });

  test('seconds are said only if asked for', () => {
    expect(say(2 * minute + 5 * second)).toBe('2m');
    expect(say(2 * minute + 5 * second, 'second')).toBe('2m 5s');
  });
});

test('an age is its largest unit alone, never below zero', () => {
  expect([3.9 * day, 11.5 * hour, 59 * second, -second].map(sayAge)).toEqual(['3d', '11h', '59s', '0s']);
});
