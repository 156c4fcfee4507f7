import { expect, test } from 'vitest';
import { inUnits } from '../contract/plans/smallest-unit.ts';

test.each([
  [499, 'USD', 4.99],
  [90_000, 'JPY', 90_000],
  [12_500, 'KWD', 12.5],
  [500, 'ISK', 5],
  [500, 'UGX', 5],
  [500, 'MGA', 500],
])('%i of the provider in %s is %f', (amount, currency, units) => {
  expect(inUnits(amount, new Intl.NumberFormat('en', { style: 'currency', currency }))).toBe(units);
});
