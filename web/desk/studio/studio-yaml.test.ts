import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { listAt, type Path, textAt, withList, withText } from './studio-yaml.ts';

const studio = `# The face of the studio
name: 'Müller & Söhne' # as in the register

# Made by Ida
mark: mark.svg
accent: "#6b2a6b"
motto: [unknown, field]
links:
  # checked by the lawyer
  terms: https://studio.example/terms # since May
  imprint: https://studio.example/imprint
support: { email: help@studio.example, url: "https://studio.example/help" } # both
hours:
  mon: ["09:00-12:30", "13:30-18:00"]
  fri:
    - 10:00-24:00
holidays:
  - 2026-12-25 # Christmas
  - 2027-01-01
`;

describe('reading', () => {
  test('finds texts and lists in the usual ways of writing', () => {
    const texts: [Path, string][] = [
      [['name'], 'Müller & Söhne'],
      [['accent'], '#6b2a6b'],
      [['links', 'terms'], 'https://studio.example/terms'],
      [['support', 'url'], 'https://studio.example/help'],
      [['links', 'privacy'], ''],
      [['support', 'phone'], ''],
      [['tagline'], ''],
    ];
    for (const [path, value] of texts) expect(textAt(studio, ...path), path.join()).toBe(value);
    expect(listAt(studio, 'hours', 'mon')).toEqual(['09:00-12:30', '13:30-18:00']);
    expect(listAt(studio, 'hours', 'fri')).toEqual(['10:00-24:00']);
    expect(listAt(studio, 'hours', 'sat')).toEqual([]);
    expect(listAt(studio, 'holidays')).toEqual(['2026-12-25', '2027-01-01']);
  });

  test.each([
    ['a list instead of a text', 'name: [a]\n', ['name']],
    ['a map instead of a text', 'name: { a: b }\n', ['name']],
    ['a text instead of a map', 'links: here\n', ['links', 'terms']],
    ['a broken quote', 'name: "Studio\n', ['name']],
  ] as [string, string, Path][])('leaves alone %s', (_, text, path) => {
    expect(textAt(text, ...path)).toBeUndefined();
    if (path.length === 2) expect(withText(text, path, 'x')).toBe(text);
  });

  test('takes an accent without quotes for the comment that it is', () => {
    expect(textAt('accent: #6b2a6b\n', 'accent')).toBe('');
  });
});

describe('changing', () => {
  test('replaces one line, and keeps its comment', () => {
    expect(withText(studio, ['name'], 'Northlight')).toBe(studio.replace('Müller & Söhne', 'Northlight'));
    expect(withText(studio, ['links', 'terms'], 'https://n.example/t')).toBe(
      studio.replace('https://studio.example/terms', 'https://n.example/t'),
    );
    expect(withText(studio, ['accent'], '#0b6b5d')).toBe(studio.replace('#6b2a6b', '#0b6b5d'));
  });

  test('adds a field below its map, in it, or at the end', () => {
    expect(withText(studio, ['links', 'privacy'], 'https://n.example/p')).toBe(
      studio.replace('/imprint\n', '/imprint\n  privacy: https://n.example/p\n'),
    );
    expect(parse(withText(studio, ['support', 'email'], ''))).toMatchObject({
      support: { url: 'https://studio.example/help' },
    });
    expect(withText(studio, ['tagline'], 'Yes')).toBe(`${studio}tagline: Yes\n`);
    for (const before of ['', '# Ours: all\n'])
      expect(withText(before, ['links', 'terms'], 'https://a.example')).toBe(
        `${before}links:\n  terms: https://a.example\n`,
      );
  });

  test('removes a field, and a map with its last field', () => {
    const without = withText(withText(studio, ['links', 'terms'], ''), ['links', 'imprint'], '');
    expect(parse(without)).not.toHaveProperty('links');
    expect(parse(without)).toMatchObject({ motto: ['unknown', 'field'], support: { email: 'help@studio.example' } });
    expect(withText('# Ours\nname: Studio\n', ['name'], '')).toBe('# Ours\n');
    expect(withText('links: { terms: a,\n  privacy: b }\n', ['links', 'privacy'], '')).toBe('links: { terms: a }\n');
    expect(withText('name: >\n  Long\n  name\n', ['name'], 'Short')).toBe('name: Short\n');
  });

  test('a list of lines keeps the comments of what stays', () => {
    expect(withList(studio, ['holidays'], ['2026-12-25', '2027-05-01'])).toBe(
      studio.replace('2027-01-01', '2027-05-01'),
    );
    expect(parse(withList(studio, ['hours', 'mon'], ['10:00-12:00'])).hours.mon).toEqual(['10:00-12:00']);
    expect(withList(studio, ['holidays'], [])).not.toContain('holidays');
  });

  test('what is written is read again by the service, whatever it is, and nothing else changes', () => {
    const paths = fc.constantFrom<Path>(['name'], ['tagline'], ['links', 'terms'], ['support', 'url'], ['legal', 'x']);
    const value = fc.oneof(
      fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
      fc.constantFrom('null', '~', 'no', ' a', 'a ', 'a: b', 'a #b', '#a', '- a', '1.0', '2026-12-25', '{a}', "it's"),
    );
    fc.assert(
      fc.property(paths, value, (path, text) => {
        const next = withText(studio, path, text);
        expect(textAt(next, ...path)).toBe(text);
        const [field, part] = path;
        const before = parse(studio);
        const expected = part === undefined ? text : { ...before[field], [part]: text };
        expect(parse(next)).toEqual({ ...before, [field]: expected });
        expect(next).toContain('# checked by the lawyer');
      }),
    );
  });
});
