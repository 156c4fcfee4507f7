import { expect, test } from 'vitest';
import { reminderAfter, sayLeft } from './clock-words.ts';

const hour = 3_600_000;

test('reminders go out after a day, three days and a week, and then no more', () => {
  expect([0, 23, 24, 71, 72, 167, 168].map((hours) => (reminderAfter(0, hours * hour) ?? 0) / hour)).toEqual([
    24, 24, 72, 72, 168, 168, 0,
  ]);
});

test('what is left of the clock, also of a job that was late already', () => {
  expect(sayLeft(45 * hour)).toBe('With the answer it runs again, with 1d 21h left.');
  expect(sayLeft(-2 * hour)).toBe('With the answer it runs again, 2h late.');
});
