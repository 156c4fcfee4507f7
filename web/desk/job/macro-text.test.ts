import { expect, test } from 'vitest';
import { fillMacro, unknownPlaceholders } from '../../../contract/desk/macro-text.ts';

const facts = { customer: 'Ada', title: 'A {round} logo', round: '2' };

test('every placeholder is filled with its fact, and a fact that looks like one stays as it is', () => {
  expect(fillMacro('{customer}, {customer}: {title}, {round}.', facts)).toBe('Ada, Ada: A {round} logo, 2.');
  expect(fillMacro('$& {customer}', { ...facts, customer: '$& $1' })).toBe('$& $& $1');
});

test('what is no placeholder stays', () => {
  for (const text of ['a { color: red }', '{}', '{ }', '{1}', 'x{', '}y'])
    expect([fillMacro(text, facts), unknownPlaceholders(text)]).toEqual([text, []]);
});

test('placeholders that are not known, as they are written and each once', () => {
  expect(unknownPlaceholders('{customer} {name} {Title} { round } {name} {toString}')).toEqual([
    '{name}',
    '{Title}',
    '{ round }',
    '{toString}',
  ]);
});
