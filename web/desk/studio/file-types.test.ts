import { expect, test } from 'vitest';
import { put } from './families.ts';
import { typeChanges, typeLabel, typeList, typesIn, withoutType, withType } from './file-types.ts';

const text = `# Ours
file_types:
  # Pictures
  - media_type: image/tiff
    extensions: [tiff, tif] # both
    aliases:
      [image/tif, image/x-tif]
    starts_with: ['49 49 2a 00', "4d 4d 00 2a"]
  - {media_type: model/stl, extensions: [ stl ]}
  # Sound
  - media_type: audio/aac
    extensions: [aac]
`;
const wordsOf = (now: string | null) =>
  typeChanges(text, now ?? '').map(({ words, was, now: next }) => [words, was, next].filter(Boolean).join(' | '));
const undone = (now: string | null) =>
  typeChanges(text, now ?? '').reduce((from, { undo }) => undo(from) ?? 'no way', now ?? '');

const named = (from: string | null, index: number, media_type: string) =>
  put(from ?? '', [...typeList, index, 'media_type'], media_type);
const endings = (from: string | null, index: number, list: string[]) =>
  put(from ?? '', [...typeList, index, 'extensions'], list);

test.each([
  ['nothing', text, []],
  ['a new type', named(withType(text, 3, { media_type: '' }), 3, 'image/x-sketch'), ['File type image/x-sketch added']],
  ['a name twice', named(withType(text, 3, { media_type: '' }), 3, 'model/stl'), ['File type model/stl added']],
  ['a type that goes', withoutType(text, 0), ['File type image/tiff removed']],
  ['a type in brackets that goes', withoutType(text, 1), ['File type model/stl removed']],
  ['another name', named(text, 1, 'model/x.stl'), ['File type model/stl is now model/x.stl']],
  ['another ending', endings(text, 0, ['tiff', 'gtiff']), ['Endings of image/tiff | tiff, tif | tiff, gtiff']],
  ['no ending', endings(text, 2, []), ['Endings of audio/aac | aac | none']],
  [
    'other names in the YAML',
    text.replace('[image/tif, image/x-tif]', '[image/tif]'),
    ['File type image/tiff has changed other names'],
  ],
])('says %s and takes it back', (_, now, words) => {
  expect(wordsOf(now)).toEqual(words);
  expect(undone(now)).toBe(text);
});

test('a new type and its endings stand below the others, of which nothing moves', () => {
  const added = named(withType(text, 3, { media_type: '' }), 3, 'image/x-sketch');
  expect(endings(added, 3, ['sketch', 'skt'])).toBe(
    `${text}  - media_type: image/x-sketch\n    extensions: [sketch, skt]\n`,
  );
});

test('the last type leaves an empty list, to which one can be added', () => {
  const none = [2, 1, 0].reduce<string | null>((now, index) => withoutType(now ?? '', index), text);
  expect([typesIn(none ?? ''), wordsOf(none).length]).toEqual([[], 3]);
  expect(typesIn(withType(none ?? '', 0, { media_type: 'a/b' }) ?? '')).toEqual([{ media_type: 'a/b' }]);
  expect(typesIn(undone(none))).toEqual(typesIn(text));
});

test('another order is one change; what the form cannot read is none', () => {
  const stl = '  - {media_type: model/stl, extensions: [ stl ]}\n';
  const moved = text.replace(stl, '') + stl;
  expect(wordsOf(moved)).toEqual(['File types stand in another order']);
  expect(undone(moved)).toBe(text);
  expect([typesIn('file_types: [x]\n'), typesIn('file_types: ['), wordsOf('file_types: [x]\n')]).toEqual([
    null,
    null,
    [],
  ]);
});

test('a field is named by its type', () => {
  const label = (path: string) => typeLabel([...(typesIn(text) ?? []), { media_type: '' }], path);
  expect(label('/file_types/0/extensions/1')).toBe('image/tiff: endings');
  expect(label('/file_types/3/media_type')).toBe('New file type: media type');
  expect([label('/file_types/9/media_type'), label('')]).toEqual([null, null]);
});
