import { expect, test } from 'vitest';
import { lastMonths, monthsBefore, sayMoney } from './money-words.ts';

test.each([
  [427_600, 'usd', '$4,276'],
  [427_650, 'usd', '$4,276.50'],
  [0, 'eur', '€0'],
  [90_000, 'jpy', '¥90,000'],
  [12_500, 'kwd', 'KWD 12.500'],
  [12_000, 'kwd', 'KWD 12'],
  [500, 'ugx', 'UGX 5'],
])('%i of %s is %s', (amount, currency, text) => {
  expect(sayMoney(amount, currency, 'en-US').replaceAll(/\s/g, ' ')).toBe(text);
});

test('months go back over a new year', () => {
  expect(monthsBefore('2026-01', 1)).toBe('2025-12');
  expect(lastMonths('2026-02', 4)).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
});
