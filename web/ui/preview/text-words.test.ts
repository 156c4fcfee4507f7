import { expect, test } from 'vitest';
import type { DecodedText } from '../../../contract/files/decode-text.ts';
import { sayLimits, shownLines } from './text-words.ts';

const decoded = (changes: Partial<DecodedText>): DecodedText => ({
  text: 'one\ntwo\n',
  encoding: 'utf-8',
  unreadable: 0,
  controls: 0,
  ...changes,
});

test('a text that is shown whole needs no words', () => {
  expect(sayLimits(decoded({}), true)).toEqual([]);
});

test('what is not shown is said', () => {
  expect(sayLimits(decoded({ unreadable: 3, controls: 1 }), false)).toEqual([
    '3 places cannot be read as UTF-8.',
    '1 control character is shown as a sign; the file may hold binary data.',
    'The first 2 lines are shown. Download the file to see all of it.',
  ]);
  expect(sayLimits(decoded({ text: 'one' }), false)).toEqual([
    'Only the beginning is shown. Download the file to see all of it.',
  ]);
});

test('a control character is shown as a sign', () => {
  expect(shownLines('a\0b\x81\n\tc\r\n')).toEqual(['a␀b␁', '\tc']);
});

test('a very long line is cut, and that is said', () => {
  const text = 'x'.repeat(20_001);
  expect(shownLines(text)).toEqual([`${'x'.repeat(20_000)}…`]);
  expect(sayLimits(decoded({ text }), true)).toEqual(['Of each line, 20,000 characters are shown.']);
});
