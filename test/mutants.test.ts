import { expect, test } from 'vitest';
import { misplacement, readMutants } from './mutants/lists.ts';

test('each fault of `npm run test:mutants` can be planted', () => {
  const misplaced = readMutants().map((mutant) => [mutant.rule, misplacement(mutant)]);
  expect(misplaced.length).toBeGreaterThan(100);
  expect(misplaced.filter(([, fault]) => fault !== null)).toEqual([]);
});
