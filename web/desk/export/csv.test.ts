import { expect, test } from 'vitest';
import { csv } from './csv.ts';

test('a cell may contain quotes, commas and line breaks, and nothing is empty', () => {
  expect(csv([['a "logo", please\nsoon', null], ['b']])).toBe('"a ""logo"", please\nsoon",""\r\n"b"\r\n');
});

test('a cell that a spreadsheet would run is text', () => {
  expect(csv([['=HYPERLINK("x")', '-6MBn2oa', '@a', '+1', '\r=1', '\t=1', 'a=b']])).toBe(
    `"'=HYPERLINK(""x"")","'-6MBn2oa","'@a","'+1","'\r=1","'\t=1","a=b"\r\n`,
  );
});
