import { expect, test } from 'vitest';
import { sayLookers } from './lookers.tsx';

const you = { kind: 'customer', name: 'Ada', you: true } as const;
const mateo = { kind: 'guest', name: 'Mateo', you: false } as const;
const nobody = { kind: 'guest', name: '', you: false } as const;

test.each([
  [[you], ''],
  [[you, mateo], 'Mateo looks, too'],
  [[you, nobody, mateo], 'A guest and Mateo look, too'],
  [[you, mateo, nobody, nobody], 'Mateo and 2 more look, too'],
])('%j: "%s"', (lookers, words) => {
  expect(sayLookers([...lookers])).toBe(words);
});
