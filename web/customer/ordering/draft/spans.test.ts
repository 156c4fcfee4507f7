import { expect, test } from 'vitest';
import { piecesOf, spansIn, wishSpan } from './spans.ts';

const suggestion = (requirement: string, span: string) => ({ requirement, answer: span, span, by: 'pattern' as const });

test('suggestions and accepted answers stand where the words say them', () => {
  const words = 'We are 🍞 Rise Bakery. It is for families\n> nearby.';
  const spans = spansIn(words, {
    answers: [{ requirement: 'Brand name', answer: 'Rise Bakery', source: 'accepted' }],
    suggestions: [suggestion('Target audience', 'families nearby')],
  });
  expect(spans.map(({ start, end, ...span }) => ({ ...span, text: words.slice(start, end) }))).toEqual([
    { requirement: 'Brand name', accepted: true, text: 'Rise Bakery' },
    { requirement: 'Target audience', accepted: false, text: 'families\n> nearby' },
  ]);
  expect(
    piecesOf(words, spans)
      .map(({ text }) => text)
      .join(''),
  ).toBe(words);
});

test('none for what was typed, what is not in the words any more, and one for two over each other', () => {
  expect(
    spansIn('A logo for a bakery', {
      answers: [{ requirement: 'Brand name', answer: 'bakery', source: 'typed' }],
      suggestions: [
        suggestion('Usage', 'a shop sign'),
        suggestion('Target audience', 'for a bakery'),
        suggestion('Style', 'a bakery'),
      ],
    }).map(({ requirement }) => requirement),
  ).toEqual(['Target audience']);
});

test.each([
  ['We need it before 11 December, thanks', '2026-12-10T12:00:00.000Z', 'before 11 December'],
  ['By Friday 4 December, please.', '2026-12-04T12:00:00.000Z', 'By Friday 4 December'],
  ['Ready on Dec 4th; not 14 December', '2026-12-04T12:00:00.000Z', 'on Dec 4th'],
  ['deadline: 2026-12-24', '2026-12-24T12:00:00.000Z', '2026-12-24'],
  ['14 December', '2026-12-04T12:00:00.000Z', null],
])('in %j the wish for %s is %j', (words, wish, text) => {
  const place = wishSpan(words, wish);
  expect(place && words.slice(place.start, place.end)).toBe(text);
});
