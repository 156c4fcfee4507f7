import { expect, test } from 'vitest';
import { studioNames, valuesOf } from '../../../../contract/jobs/optional-fields.ts';
import {
  answerField,
  changedFields,
  changeOf,
  type Edits,
  editsAfter,
  fieldName,
  pendingFields,
  type Stored,
  storedText,
} from './edits.ts';

const empty: Stored = {
  customer_title: null,
  words: '',
  ...valuesOf(studioNames, {}),
  file_ids: [],
  brand_kit: true,
  answers: [],
  suggestions: [],
};
const brand = answerField('Brand name');
const named = (answer: string): Stored => ({
  ...empty,
  answers: [{ requirement: 'Brand name', answer, source: 'typed' }],
});

test('a text is still to be stored unless it differs by spaces at its ends only', () => {
  const edits: Edits = { title: 'Logo ', [brand]: 'Rise Bakery', words: '' };
  expect(pendingFields(null, edits)).toEqual(['title', brand]);
  expect(pendingFields({ ...named('Rise Bakery'), customer_title: 'Logo' }, edits)).toEqual([]);
  expect(pendingFields({ ...empty, words: 'Hello' }, edits)).toContain('words');
});

test('what is sent for a field: null for an empty one, a list of files', () => {
  expect(changeOf('title', '')).toEqual({ customer_title: null });
  expect(changeOf('files', 'file_a file_b')).toEqual({ file_ids: ['file_a', 'file_b'] });
  expect([changeOf('kit', 'left out'), changeOf('kit', '')]).toEqual([{ brand_kit: false }, { brand_kit: true }]);
  expect([true, false].map((brand_kit) => storedText({ ...empty, brand_kit }, 'kit'))).toEqual(['', 'left out']);
  expect(storedText({ ...empty, file_ids: ['file_a', 'file_b'] }, 'files')).toBe('file_a file_b');
  expect([fieldName('words'), fieldName(brand)]).toEqual(['Your words', 'Brand name']);
});

test('a version of another window: it replaces what was stored, and not what was typed since', () => {
  const [before, after] = [named('Rise'), named('Rise & Sons')];
  expect(changedFields(before, after)).toEqual([brand]);
  expect(editsAfter(before, after, { [brand]: 'Rise ' }), 'stored before').toEqual({});
  expect(editsAfter(before, after, { [brand]: 'Rise Bakery' }), 'typed since').toEqual({ [brand]: 'Rise Bakery' });
  expect(editsAfter(before, after, { title: 'Logo' }), 'another field').toEqual({ title: 'Logo' });
});

test('a text that was stored leaves no edit behind, but for a space that its author just typed', () => {
  expect(editsAfter(empty, named('Rise'), { [brand]: 'Rise' })).toEqual({});
  expect(editsAfter(empty, named('Rise'), { [brand]: 'Rise ' })).toEqual({ [brand]: 'Rise ' });
});
