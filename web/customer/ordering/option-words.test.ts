import { expect, test } from 'vitest';
import { sayHours, sayRoundCount, sayRoundTime } from './option-words.ts';

test('whole days are said as days', () => {
  expect([24, 72, 36, 5].map((hours) => sayHours(hours))).toEqual(['1 day', '3 days', '36 hours', '5 hours']);
});

test('rounds of changes are counted', () => {
  expect([0, 1, 2].map(sayRoundCount)).toEqual(['no rounds', '1 round', '2 rounds']);
});

test('a round says how long it takes only if that is promised', () => {
  const said = (revision_rounds: number, revision_hours: number | null) =>
    sayRoundTime({ revision_rounds, revision_hours });
  expect([said(2, 24), said(1, 36), said(0, 24), said(2, null)]).toEqual([
    ', each within 1 day',
    ', within 36 hours',
    '',
    '',
  ]);
});

test('business hours are never said as days', () => {
  expect([24, 1].map((hours) => sayHours(hours, true))).toEqual(['24 business hours', '1 business hour']);
});
