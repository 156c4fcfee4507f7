import { expect, test } from 'vitest';
import { pairFiles } from './compare.ts';

const types: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', pdf: 'application/pdf', mp4: 'video/mp4' };
const files = (...names: string[]) =>
  names.map((file_name, index) => ({
    id: `${file_name}-${index}`,
    file_name,
    content_type: types[file_name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/zip',
  }));
const pair = (earlier: string[], later: string[]) => {
  const { pairs, added } = pairFiles(files(...earlier), files(...later));
  return [
    pairs.map((both) => `${both.earlier.file_name} ${both.later.file_name}`),
    added.map(({ file_name }) => file_name),
  ];
};

test('files of the same name are a pair, wherever they stand', () => {
  expect(pair(['a.png', 'b.png'], ['b.png', 'a.png'])).toEqual([['b.png b.png', 'a.png a.png'], []]);
});

test('the others are paired by order, like with like', () => {
  expect(pair(['a-v1.png', 'c.pdf', 'b-v1.png', 'all.zip'], ['a-v2.png', 'b-v2.jpg', 'film.mp4'])).toEqual([
    ['a-v1.png a-v2.png', 'b-v1.png b-v2.jpg'],
    ['film.mp4'],
  ]);
});

test('a name counts before the order', () => {
  expect(pair(['first.png', 'logo.png'], ['logo.png', 'second.png'])).toEqual([
    ['logo.png logo.png', 'first.png second.png'],
    [],
  ]);
});

test('two files of one name are two pairs', () => {
  expect(pair(['a.png', 'a.png'], ['a.png', 'a.png'])).toEqual([['a.png a.png', 'a.png a.png'], []]);
});

test('upper and lower case do not separate a pair', () => {
  expect(pair(['Logo.PNG'], ['logo.png'])).toEqual([['Logo.PNG logo.png'], []]);
});

test('without an earlier file all are new', () => {
  expect(pair([], ['a.png'])).toEqual([[], ['a.png']]);
});
