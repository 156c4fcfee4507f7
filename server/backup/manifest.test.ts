import { expect, test } from 'vitest';
import { type Manifest, refuseOtherOrigin } from './manifest.ts';
import { Unusable } from './unusable.ts';

const origin = { public_url: 'https://studio.example', database: '7/16384' };
const place = (changes: object = {}) => ({ ...origin, ...changes });
const of = (from: typeof origin | undefined) => ({ origin: from }) as Manifest;

test.each([
  ['another address', origin, place({ public_url: 'https://copy.example' })],
  ['another database', origin, place({ database: '7/16385' })],
  ['a backup that names nothing', undefined, place()],
])('%s wants a word', (_, from, to) => {
  expect(() => refuseOtherOrigin(of(from), to)).toThrow(Unusable);
});

test.each([
  ['the same database', place()],
  ['an embedded one, which keeps its identity', place({ database: null })],
])('%s, under the same address, wants none', (_, to) => {
  expect(() => refuseOtherOrigin(of(origin), to)).not.toThrow();
});
