import { expect, test } from 'vitest';
import { mintKey, readKey } from './key-finder.ts';

test('a key is read back to the parts that were kept', () => {
  for (let round = 0; round < 200; round++) {
    const { plaintext, prefix, digest } = mintKey('atl');
    expect(readKey('atl', plaintext)).toEqual({ prefix, digest });
  }
});

test('no single wrong character gets past the checksum', () => {
  const { plaintext } = mintKey('atl');
  for (let at = 0; at < plaintext.length; at++) {
    const typed = plaintext[at] === 'x' ? 'y' : 'x';
    expect(readKey('atl', plaintext.slice(0, at) + typed + plaintext.slice(at + 1))).toBeNull();
  }
});

test('the key of another lead is none of ours', () => {
  expect(readKey('atl', mintKey('atw').plaintext)).toBeNull();
});
