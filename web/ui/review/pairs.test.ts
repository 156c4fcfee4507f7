import { expect, test } from 'vitest';
import { pairFiles, sayDropped } from './compare.ts';

const types: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
  svg: 'image/svg+xml',
  psd: 'image/vnd.adobe.photoshop',
  txt: 'text/plain',
  md: 'text/markdown',
};
const files = (side: string, names: string[]) =>
  names.map((file_name, index) => ({
    id: `${side} ${index}`,
    file_name,
    content_type: types[file_name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/zip',
  }));
const compare = (earlier: string[], later: string[]) => pairFiles(files('earlier', earlier), files('later', later));
const pair = (earlier: string[], later: string[]) => {
  const { pairs, added } = compare(earlier, later);
  return [
    pairs.map((both) => `${both.earlier.file_name} ${both.later.file_name}`),
    added.map(({ file_name }) => file_name),
  ];
};

test('files of the same name are a pair, wherever they stand', () => {
  expect(pair(['a.png', 'b.png'], ['b.png', 'a.png'])).toEqual([['b.png b.png', 'a.png a.png'], []]);
});

test('versions at the end of a name do not separate a pair, nor do two endings of pictures', () => {
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

test('an accent is one character or two: Café belongs to Café, and the last picture to the last', () => {
  const [mac, windows] = ['Cafe\u0301.png', 'Caf\u00e9.png'];
  expect(pair([mac, 'Bar.png'], ['Bar2.png', windows])).toEqual([['Bar.png Bar2.png', `${mac} ${windows}`], []]);
});

test.each([
  ['logo_v1.png', 'logo_v2.png'],
  ['logo.png', 'logo-v02.png'],
  ['logo v2.png', 'logo v3.png'],
  ['logo.png', 'logo final.png'],
  ['logo_v3.png', 'logo_final_FINAL.png'],
  ['logo.png', 'logo (1).png'],
  ['logo.png', 'logo(12).png'],
  ['logo copy.png', 'logo - Copy (2).png'],
  ['logo_r1.png', 'logo_r2.png'],
  ['logo_rev1.PNG', 'Logo Rev 2.png'],
  ['logo 2026-11-30.png', 'logo_20261205.png'],
  ['logo_2026-11-30_v1.2.png', 'LOGO.png'],
  ['logo.png', 'logo.jpg'],
  ['logo.png', 'logo.svg'],
])('%s and %s are a pair, whatever stands beside them', (earlier, later) => {
  const pairs = pair(['a.png', earlier, 'b.png'], ['x.png', 'y.png', later]);
  expect(pairs).toEqual([[`${earlier} ${later}`], ['x.png', 'y.png']]);
});

test.each([
  ['logo.psd', 'b.png'],
  ['copy.txt', 'using-the-mark.md'],
  ['sources.zip', 'jingle.mp3'],
  ['brand.pdf', 'brand.zip'],
  ['logo.svg', 'b.png'],
])('%s and %s are none: they are not shown alike', (earlier, later) => {
  expect(pair([earlier], [later])).toEqual([[], [later]]);
});

test('another ending counts last', () => {
  expect(pair(['logo.png', 'logo.svg'], ['logo.svg', 'logo.png'])).toEqual([
    ['logo.svg logo.svg', 'logo.png logo.png'],
    [],
  ]);
});

test('several pictures of other names are not paired by order', () => {
  expect(pair(['a.png', 'b.png'], ['c.png', 'd.png'])).toEqual([[], ['c.png', 'd.png']]);
  expect(pair(['a.png', 'b.png'], ['c.png'])).toEqual([[], ['c.png']]);
});

test('a name of nothing but a version stays itself', () => {
  expect(pair(['v1.png', '2026-11-30.png', 'a.png'], ['v2.png', '2026-12-01.png', 'b.png'])).toEqual([
    [],
    ['v2.png', '2026-12-01.png', 'b.png'],
  ]);
});

test('files of the earlier delivery without a partner are dropped', () => {
  const { dropped } = compare(['copy.txt', 'sources.zip', 'logo.png', 'jingle.mp3'], ['logo.png', 'mark.md']);
  expect(dropped.map(({ file_name }) => file_name)).toEqual(['copy.txt', 'sources.zip', 'jingle.mp3']);
  expect(sayDropped(dropped, 'this delivery')).toBe('3 files are not in this delivery');
  expect(sayDropped(dropped.slice(1, 2), 'delivery 2')).toBe('1 file is not in delivery 2');
});

test('five hundred files of long names are paired at once', () => {
  const names = Array.from({ length: 500 }, (_, n) => `${' _-.'.repeat(50)}${n}${' _v2'.repeat(10)}.png`);
  const start = performance.now();
  expect(
    compare(
      names,
      names.map((name) => name.replace('.png', ' final.png')),
    ).pairs,
  ).toHaveLength(500);
  expect(performance.now() - start).toBeLessThan(2_000);
});

test('without an earlier file all are new', () => {
  expect(pair([], ['a.png'])).toEqual([[], ['a.png']]);
});
