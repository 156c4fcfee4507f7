import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { at, type Path, valueOf, withValue } from '../contract/studio/yaml-edits.ts';
import { type Item, sourceAt, withItems, withTexts } from '../contract/studio/yaml-lists.ts';
import type { Value } from '../contract/studio/yaml-written.ts';

const text = `# What can be ordered.

families:
  - id: design   # the first
    name: 'Design'
    'description': "Work: for pages."
    options:

      # The best-selling one
      - id: logo
        name: &logo Logo # as on the site
        turnaround_hours: 72
        example_words: >
          We need
          a logo.

      - { id: page, name: Page, turnaround_hours: 96 }
    intake_requirements:
    - label: Brand name
      also_called: [brand, "shop name"] # more to come
      not_for: [page]
    # asked last
    - label: Style
      hint: *logo
    quality_signals:
      - Readable # at 16 px
      - 'Licensed'
# The end.
`;
const option: Path = ['families', 0, 'options', 0];
const requirements: Path = ['families', 0, 'intake_requirements'];

describe('one value', () => {
  const changes: [string, Path, Value | undefined, [from: string, to: string]][] = [
    ['a number', [...option, 'turnaround_hours'], 48, ['hours: 72', 'hours: 48']],
    ['a text in quotes', ['families', 0, 'name'], 'Design & more', ["'Design'", "'Design & more'"]],
    ['a quoted key', ['families', 0, 'description'], 'x', ['"Work: for pages."', '"x"']],
    ['a text that begins like a comment', [...option, 'id'], '# logo', ['id: logo', 'id: "# logo"']],
    ['a flow map', ['families', 0, 'options', 1, 'name'], 'One, two', ['name: Page', 'name: "One, two"']],
    ['a new key of a flow map', ['families', 0, 'options', 1, 'retired'], true, ['96 }', '96, retired: true }']],
    ['a removed key', [...option, 'turnaround_hours'], undefined, ['        turnaround_hours: 72\n', '']],
    ['the first key of an item', [...option, 'id'], undefined, ['- id: logo\n        name', '- name']],
    [
      'a text of several lines',
      [...option, 'example_words'],
      'A logo.',
      ['>\n          We need\n          a logo.\n', 'A logo.\n'],
    ],
    [
      'a list of texts',
      [...requirements, 1, 'choices'],
      ['Yes', 'No, thanks'],
      ['hint: *logo\n', 'hint: *logo\n      choices: [Yes, "No, thanks"]\n'],
    ],
    ['an alias', [...requirements, 1, 'hint'], 'Colours', ['*logo', 'Colours']],
  ];
  test.each(changes)('changes %s and nothing else', (_, path, value, [from, to]) => {
    expect(text).toContain(from);
    expect(withValue(text, path, value)).toBe(text.replace(from, to));
  });

  test('an anchor that other places share changes in one place only', () => {
    const next = withValue(text, [...option, 'name'], 'Emblem');
    expect(next).toBe(text.replace('&logo Logo', '&logo Emblem').replace('*logo', 'Logo'));
  });

  test('a new key stands after those that come before it', () => {
    const order = ['id', 'name', 'retired', 'turnaround_hours'];
    expect(withValue(text, [...option, 'retired'], true, order)).toBe(
      text.replace('# as on the site\n', '# as on the site\n        retired: true\n'),
    );
  });

  test('a key that is written without a value gets one', () => {
    expect(withValue('a:\n  b: # none\n  c: 1\n', ['a', 'b'], 'x')).toContain('b: x');
  });

  test('broken YAML is left alone', () => {
    expect(withValue('a: [', ['a'], 'x')).toBeNull();
    expect(withValue('- a', ['a', 'b'], 'x')).toBeNull();
    expect(valueOf('a: [')).toBeUndefined();
  });
});

describe('lists', () => {
  test('items move with the comments above and beside them', () => {
    const next = withItems(text, requirements, [1, 0]) ?? '';
    expect(next.indexOf('# asked last')).toBeLessThan(next.indexOf('label: Brand name'));
    expect(next).toContain('also_called: [brand, "shop name"] # more to come');
    expect(next.split('\n').toSorted()).toEqual(text.split('\n').toSorted());
    const options = withItems(text, ['families', 0, 'options'], [1, 0]) ?? '';
    expect(options.indexOf('id: page')).toBeLessThan(options.indexOf('# The best-selling one'));
    expect(options.indexOf('# The best-selling one')).toBeLessThan(options.indexOf('id: logo'));
  });

  test('an item comes back as it was written', () => {
    const short = withItems(text, requirements, [0]) ?? '';
    const item = { value: at(valueOf(text), [...requirements, 1]) ?? null, source: sourceAt(text, requirements, 1) };
    expect(short).not.toContain('# asked last');
    expect(withItems(short, requirements, [0, item])).toBe(text);
  });

  test('a list in brackets with comments between its items is left to the YAML', () => {
    const list = 'a: [\n  x, # first\n  y\n]\n';
    expect(withItems(list, ['a'], [1, 0])).toBeNull();
    expect(withItems(list.replace(' # first', ''), ['a'], [1, 0])).toBe('a: [y, x]\n');
    // What is added moves nothing.
    expect(withItems(list, ['a'], [0, 1, { value: 'z' }])).toBe(list.replace('  y', '  y, z'));
  });

  test('an item is added as the others are written, and removed with its lines', () => {
    const added = withItems(text, requirements, [0, 1, { value: { label: 'Use', hint: 'Where' } }]) ?? '';
    expect(added).toBe(text.replace('hint: *logo\n', 'hint: *logo\n    - label: Use\n      hint: Where\n'));
    expect(withItems(added, requirements, [0, 1])).toBe(text);
    const short = withItems(text, ['families', 0, 'options'], [0]);
    expect(short).toBe(text.replace('\n      - { id: page, name: Page, turnaround_hours: 96 }\n', ''));
  });

  test('a whole family is added at the end', () => {
    const value = { id: 'print', options: [{ id: 'flyer', choices: ['A5', 'A4'] }], retired: false };
    const next = withItems(text, ['families'], [0, { value }]) ?? '';
    expect(next).toContain(
      "      - 'Licensed'\n  - id: print\n    options:\n      - id: flyer\n        choices: [A5, A4]\n    retired: false\n",
    );
    expect(next.endsWith('# The end.\n')).toBe(true);
  });

  test('texts that stay keep their comments, in lines and in brackets', () => {
    expect(withTexts(text, ['families', 0, 'quality_signals'], ['Readable', 'On time'])).toBe(
      text.replace("- 'Licensed'", '- On time'),
    );
    expect(withTexts(text, [...requirements, 0, 'also_called'], ['shop name', 'firm'])).toBe(
      text.replace('[brand, "shop name"]', '["shop name", firm]'),
    );
    expect(withTexts(text, [...requirements, 0, 'also_called'], [])).not.toContain('also_called');
  });
});

test('whatever is written is read again, and nothing else changes its meaning', () => {
  const paths = fc.constantFrom<Path>(
    [...option, 'name'],
    [...option, 'turnaround_hours'],
    [...option, 'example_words'],
    ['families', 0, 'options', 1, 'name'],
    ['families', 0, 'name'],
    [...requirements, 1, 'label'],
    [...requirements, 1, 'new_key'],
  );
  const odd = ['null', '~', 'no', ' a', 'a ', 'a: b', 'a #b', '#a', '- a', '1.0', '{a}', "it's", '', 'a,b', '"', '*a'];
  const value = fc.oneof(fc.string({ maxLength: 20, unit: 'grapheme' }), fc.constantFrom(...odd), fc.nat());
  fc.assert(
    fc.property(paths, value, (path, next) => {
      const written = withValue(text, path, next) ?? '';
      const expected = parse(text);
      let parent = expected;
      for (const key of path.slice(0, -1)) parent = parent[key];
      parent[path.at(-1) ?? ''] = next;
      expect(parse(written)).toEqual(expected);
      for (const comment of text.match(/#.*/g) ?? []) expect(written).toContain(comment);
    }),
  );
});

test('items in any order keep every line', () => {
  const list = 'a:\n  # one\n  - x: 1\n\n  - x: 2 # two\n  - x: 3\n    y: [1, 2]\n  # end\nb: 1\n';
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (order: Item[]) => {
      const next = withItems(list, ['a'], order) ?? '';
      expect(next.split('\n').toSorted()).toEqual(list.split('\n').toSorted());
    }),
  );
});
