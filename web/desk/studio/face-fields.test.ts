import { expect, test } from 'vitest';
import { changedFields } from './face-fields.ts';

test('names what changed in the words of the form, or the file', () => {
  const before = 'name: Northlight\naccent: "#6b2a6b"\nholidays: [2026-12-25]\n';
  expect(changedFields(before, before)).toEqual([]);
  expect(changedFields(before, 'name: Nordlicht\nholidays: [2026-12-26]\n')).toEqual(['Name', 'Accent', 'Hours']);
  expect(changedFields(before, `# Ours\n${before}`)).toEqual(['studio.yaml']);
  expect(changedFields('', 'links: { terms: "https://a.example" }\n')).toEqual(['Links']);
});
