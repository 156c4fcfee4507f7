import { describe, expect, test } from 'vitest';
import {
  composeInstructions,
  openLine,
  ownWordsLine,
  readBrief,
  readInstructions,
} from '../contract/jobs/instructions.ts';

const requirements = ['Brand name', 'Colours', 'Deadline'];

describe('composeInstructions', () => {
  test('answers come in the order of the catalog, trimmed, then the words besides', () => {
    const answers = { Deadline: ' Friday ', 'Brand name': 'Rise', Colours: '  ' };
    expect(composeInstructions(requirements, answers, '\nNo serifs. ')).toBe(
      'Brand name: Rise\n\nDeadline: Friday\n\nNo serifs.',
    );
  });

  test('an answer of several paragraphs is read back as one', () => {
    const text = composeInstructions(requirements, { Colours: 'red\n \n\nand white' }, 'No serifs.');
    expect(readInstructions(requirements, text)).toEqual({
      answers: { Colours: 'red\nand white' },
      words: 'No serifs.',
    });
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

  test('a line without a label continues the answer above it', () => {
    const text = 'Brand name: Rise\nStyle preferences: Hand-made, dark green and cream.\nNo wheat ears.\nColours: red';
    expect(readInstructions(['Brand name', 'Style preferences', 'Colours'], text)).toEqual({
      answers: {
        'Brand name': 'Rise',
        'Style preferences': 'Hand-made, dark green and cream.\nNo wheat ears.',
        Colours: 'red',
      },
      words: '',
    });
  });

  test('an answer may begin on the line below its label', () => {
    expect(readInstructions(requirements, 'Colours:\nred\nand white').answers).toEqual({ Colours: 'red\nand white' });
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

describe('readBrief', () => {
  const briefed = (answers: Record<string, string>, ...lines: string[]) => ({
    customer_instructions: [...Object.entries(answers).map(([label, answer]) => `${label}: ${answer}`), ...lines].join(
      '\n',
    ),
    intent_brief: {
      answered_requirements: Object.entries(answers).map(([requirement, answer]) => ({ requirement, answer })),
    },
  });
  const answers = { 'Brand name': 'Rise\n\nColours: not these', Colours: `red\n\n${ownWordsLine}\nDeadline: none` };

  test('answers stay as the customer gave them, whatever their lines look like', () => {
    const job = briefed(answers, openLine('Deadline'), 'Files: Brand name: x.png', '', ownWordsLine, 'Colours: any.');
    expect(readBrief(requirements, job)).toEqual({ answers, open: ['Deadline'], words: 'Colours: any.' });
  });

  test('a file is no question, whatever its name is', () => {
    expect(readBrief(requirements, briefed(answers, `Files: ${openLine('Deadline')}`))).toEqual({
      answers,
      open: [],
      words: '',
    });
  });

  test('own words may repeat the line above them, and may be all that there is', () => {
    const words = `One.\n\n${ownWordsLine}\nTwo.`;
    expect(readBrief(requirements, briefed({}, '', ownWordsLine, words))).toEqual({ answers: {}, open: [], words });
  });

  test('a text that was not made of its brief keeps its words', () => {
    const job = { ...briefed(answers), customer_instructions: 'Colours: blue\n\nNo serifs.' };
    expect(readBrief(requirements, job)).toEqual({ answers, open: [], words: 'No serifs.' });
  });

  test('without a brief the text is read', () => {
    const job = { customer_instructions: 'Colours: red', intent_brief: null };
    expect(readBrief(requirements, job)).toEqual({ answers: { Colours: 'red' }, open: [], words: '' });
  });
});
