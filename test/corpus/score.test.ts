import { expect, test } from 'vitest';
import type { Concierge, Turn } from './concierge.ts';
import { play } from './play.ts';
import { scoreOf } from './score.ts';
import type { Stranger } from './strangers.ts';

const stranger: Stranger = {
  id: 'test',
  language: 'en',
  writer: 'a baker',
  service: 'design/logo',
  chosen: null,
  wanted_by: null,
  messages: ['Hi, a logo for Rise, for families and commuters in Leeds. Style: warm, no wheat'],
  prose: { 'Brand name': ['Rise'], 'Target audience': ['families and commuters in Leeds'] },
  labelled: { 'Style preferences': 'warm, no wheat' },
  when_asked: { 'Where it will be used': ['Why do you ask?', 'the shop sign'] },
  at_the_end: [],
  ends: {},
  no_answers: ['Why do you ask?'],
  otherwise: 'no idea',
  keep: ['Leeds'],
};

/** Starts with `answers`, then asks the questions in turn. `takes` decides whether a reply is an answer. */
const concierge =
  (answers: Record<string, string>, questions: string[], takes: (text: string) => boolean): Concierge =>
  ({ message }) => {
    const turn = (found: Record<string, string>, [asks, ...later]: (string | undefined)[], words: string): Turn => {
      const made: Turn = {
        asks: asks ?? null,
        reply: '',
        service: 'design/logo',
        answers: found,
        suggestions: {},
        spans: [],
        words: '',
        wanted_by: null,
        brief: words,
        say: (text) =>
          takes(text) ? turn({ ...found, [asks!]: text }, later, words) : turn(found, [asks, ...later], words),
        decide: () => made,
        leaveOpen: () => made,
      };
      return made;
    };
    return turn(answers, questions, message);
  };

const rightAnswers = {
  'Brand name': 'Rise',
  'Target audience': 'families and commuters in Leeds',
  'Style preferences': 'warm, no wheat',
};
const scored = (...made: Parameters<typeof concierge>) => scoreOf(stranger, play(concierge(...made), stranger));

test('a concierge that repeats its question after a counter-question ends in the correct brief', () => {
  const score = scored(rightAnswers, ['Where it will be used'], (text) => !text.endsWith('?'));
  expect(score).toMatchObject({ correct: true, messages: 3, nonAnswers: { of: 1, items: [] } });
  expect(score.placed.items).toEqual(['Brand name', 'Target audience']);
});

test('a counter-question in a field is a wrong value the customer never set, and taken for an answer', () => {
  const score = scored(rightAnswers, ['Where it will be used'], () => true);
  expect(score).toMatchObject({ correct: false, untouched: ['Where it will be used'] });
  expect(score.nonAnswers.items).toEqual(['Why do you ask?']);
});

test('a name among other words is wrong, other values are wordy, and a value without the fact is wrong', () => {
  const [message] = stranger.messages;
  const score = scored(
    { 'Brand name': message!, 'Target audience': message!, 'Existing brand assets': 'Hi' },
    [],
    () => true,
  );
  expect(score).toMatchObject({ untouched: ['Brand name', 'Existing brand assets'], wordy: ['Target audience'] });
  expect(score).toMatchObject({ lost: ['Style preferences'], placed: { items: [] }, correct: false });
});

test('a labelled requirement that is asked for is counted, and a shortened value is not right', () => {
  const score = scored(
    { ...rightAnswers, 'Style preferences': 'warm, no' },
    ['Style preferences'],
    (text) => text === '',
  );
  expect(score).toMatchObject({ askedAgain: { items: ['Style preferences'] }, labelled: { of: 1, items: [] } });
  expect(score.messages).toBe(40);
});
