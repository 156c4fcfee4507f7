import { describe, expect, test } from 'vitest';
import { composeInstructions, readInstructions } from '../contract/jobs/instructions.ts';

const requirements = ['Brand name', 'Colours', 'Deadline'];

describe('composeInstructions', () => {
  test('answers come in the order of the catalog, trimmed, then the words besides', () => {
    const answers = { Deadline: ' Friday ', 'Brand name': 'Rise', Colours: '  ' };
    expect(composeInstructions(requirements, answers, '\nNo serifs. ')).toBe(
      'Brand name: Rise\n\nDeadline: Friday\n\nNo serifs.',
    );
  });

  test('nothing said is an empty text', () => {
    expect(composeInstructions(requirements, {}, ' ')).toBe('');
  });
});

describe('readInstructions', () => {
  test('what was composed is read back', () => {
    const answers = { 'Brand name': 'Rise', Colours: 'red\nand white' };
    const text = composeInstructions(requirements, answers, 'No serifs.');
    expect(readInstructions(requirements, text)).toEqual({ answers, words: 'No serifs.' });
  });

  test('labels are found in any case, and a colon within an answer stays', () => {
    expect(readInstructions(requirements, 'COLOURS : red: dark').answers).toEqual({ Colours: 'red: dark' });
  });

  test('an answer ends at a blank line', () => {
    expect(readInstructions(requirements, 'Colours: red\n\nand more')).toEqual({
      answers: { Colours: 'red' },
      words: 'and more',
    });
  });

  test('answers written line by line end with their line, and a sentence below them stays with the words', () => {
    const text = 'Brand name: Rise\nColours: red\nThe page should load quickly.';
    expect(readInstructions(requirements, text)).toEqual({
      answers: { 'Brand name': 'Rise', Colours: 'red' },
      words: 'The page should load quickly.',
    });
  });

  test('a label that comes again belongs to the answer above it', () => {
    const { answers } = readInstructions(requirements, 'Colours: red\nColours: blue');
    expect(answers).toEqual({ Colours: 'red\nColours: blue' });
  });

  test('a label without an answer leaves it to a later one', () => {
    const { answers, words } = readInstructions(requirements, 'Colours:\n\nNo serifs.\n\nColours: red');
    expect([answers, words]).toEqual([{ Colours: 'red' }, 'No serifs.']);
  });

  test('a text without labels is all words', () => {
    expect(readInstructions(requirements, 'Size: A4\nhttps://rise.example')).toEqual({
      answers: {},
      words: 'Size: A4\nhttps://rise.example',
    });
  });
});
