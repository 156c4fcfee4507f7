import { expect, test } from 'vitest';
import { sayMinutes } from './noted-words.ts';

test.each([
  [0, '0m'],
  [45, '45m'],
  [60, '1h'],
  [90, '1h 30m'],
  [1_560, '26h'],
])('%i minutes are %s', (minutes, words) => {
  expect(sayMinutes(minutes)).toBe(words);
});
