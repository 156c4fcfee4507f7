import { expect, test } from 'vitest';
import { sayHours, sayRounds } from './option-words.ts';

test('whole days are said as days', () => {
  expect([24, 72, 36, 5].map(sayHours)).toEqual(['1 day', '3 days', '36 hours', '5 hours']);
});

test('rounds of changes are counted', () => {
  expect([0, 1, 2].map(sayRounds)).toEqual([
    'no rounds of changes included',
    '1 round of changes included',
    '2 rounds of changes included',
  ]);
});
