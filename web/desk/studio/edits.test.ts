import { expect, test } from 'vitest';
import { documentsOf, editsTo, filesOf, noEdits, textOf, withEdit } from './edits.ts';

const version = {
  number: 4,
  note: null,
  created_by: null,
  created_at: '2026-11-23T12:00:00Z',
  republished_from: null,
  changes: [],
  documents: [
    { file: 'families.yaml', text: 'families: []\n', sha256: 'aa', size_bytes: 13 },
    { file: 'pictures/design/logo.svg', text: null, sha256: 'bb', size_bytes: 900 },
  ],
};
const { documents } = version;

test('edits remember the version that they began with, until they lead back to it', () => {
  const once = withEdit(version, noEdits, 'families.yaml', { text: 'families: [x]\n' });
  expect(once).toEqual({ base: 4, files: { 'families.yaml': { text: 'families: [x]\n' } } });
  const newer = { ...version, number: 5 };
  expect(withEdit(newer, once, 'plans.yaml', { text: 'plans: []\n' }).base).toBe(4);
  expect(withEdit(newer, once, 'families.yaml', { text: 'families: []\n' })).toEqual(noEdits);
  expect(withEdit(version, noEdits, 'studio.yaml', { text: '' })).toEqual(noEdits);
  expect(withEdit(version, noEdits, 'mark.svg', 'removed')).toEqual(noEdits);
});

test('changed files are sent whole, others by their hash, removed and empty ones not at all', () => {
  let edits = withEdit(version, noEdits, 'studio.yaml', { text: 'name: Northlight\nmark: mark.svg\n' });
  edits = withEdit(version, edits, 'mark.svg', { base64: 'PHN2Zy8+' });
  edits = withEdit(version, edits, 'pictures/design/logo.svg', 'removed');
  expect(filesOf(documents, edits)).toEqual(['families.yaml', 'mark.svg', 'studio.yaml']);
  expect(documentsOf(documents, edits)).toEqual([
    { file: 'families.yaml', sha256: 'aa' },
    { file: 'mark.svg', base64: 'PHN2Zy8+' },
    { file: 'studio.yaml', text: 'name: Northlight\nmark: mark.svg\n' },
  ]);
  const emptied = withEdit(version, edits, 'studio.yaml', { text: '\n' });
  expect(documentsOf(documents, emptied).map(({ file }) => file)).toEqual(['families.yaml', 'mark.svg']);
});

test('an earlier version becomes edits: other files, what is put back, and what it lacks', () => {
  const earlier = [
    { file: 'families.yaml', text: 'families: [old]\n', sha256: 'cc', size_bytes: 16 },
    { file: 'pictures/design/logo.svg', text: null, sha256: 'dd', size_bytes: 800 },
    { file: 'plans.yaml', text: 'plans: []\n', sha256: 'ee', size_bytes: 10 },
  ];
  const newest = {
    ...version,
    documents: [...documents, { file: 'mark.svg', text: null, sha256: 'ff', size_bytes: 9 }],
  };
  const edits = editsTo(newest, earlier, [{ file: 'families.yaml', text: 'families: [old, retired]\n' }]);
  expect(edits).toEqual({
    base: 4,
    files: {
      'families.yaml': { text: 'families: [old, retired]\n' },
      'mark.svg': 'removed',
      'pictures/design/logo.svg': { sha256: 'dd' },
      'plans.yaml': { text: 'plans: []\n' },
    },
  });
  expect(documentsOf(newest.documents, edits)).toContainEqual({ file: 'pictures/design/logo.svg', sha256: 'dd' });
  expect(editsTo(version, documents, [])).toEqual(noEdits);
});

test('the text of a file is the changed one, or empty', () => {
  const edits = withEdit(version, noEdits, 'families.yaml', { text: 'x' });
  expect(textOf(documents, edits, 'families.yaml')).toBe('x');
  expect(textOf(documents, noEdits, 'families.yaml')).toBe('families: []\n');
  expect(textOf(documents, edits, 'studio.yaml')).toBe('');
});
