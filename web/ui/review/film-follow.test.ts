import { expect, it } from 'vitest';
import { correctionOf } from './film-follow.ts';

it('leaves a film that is in step, slows one that is ahead, and jumps from far away', () => {
  expect([0, 0.01, 0.05, -0.05, 0.5, -2].map(correctionOf)).toEqual([
    { jumps: false, rate: 1 },
    { jumps: false, rate: 1 },
    { jumps: false, rate: 0.9 },
    { jumps: false, rate: 1.1 },
    { jumps: true, rate: 1 },
    { jumps: true, rate: 1 },
  ]);
});
