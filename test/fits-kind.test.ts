import { expect, test } from 'vitest';
import { faultOf } from '../contract/ordering/fits-kind.ts';

const choices = ['Print', 'Web'];

test.each([
  ['date', '2026-11-20', null],
  ['date', 'next Friday', 'must be a date'],
  ['date', '2026-02-30', 'must be a date'],
  ['url', ' https://rise.example ', null],
  ['url', 'http://rise.example', 'must be an https address'],
  ['url', 'rise.example', 'must be an https address'],
  ['url', `https://rise.example/${'x'.repeat(2_000)}`, 'at most 2000 characters'],
  ['name', '🥐'.repeat(60), null],
  ['name', 'x'.repeat(61), 'at most 60 characters'],
  ['choice', 'web', null],
  ['choice', 'Radio', 'must be one of: Print, Web'],
  ['text', 'x'.repeat(5_001), 'at most 5000 characters'],
] as const)('a form takes or refuses an answer of the kind %s: %.30s', (kind, answer, fault) => {
  const said = faultOf({ kind, choices }, answer);
  if (fault === null) expect(said).toBeNull();
  else expect(said).toContain(fault);
});
