import { describe, expect, test } from 'vitest';
import { changesBetween, sayConcerned } from './catalog-words.ts';
import { familiesIn, idFrom, isAskedFor, put, withoutService, withRetired } from './families.ts';
import type { Path } from '../../../contract/studio/yaml-edits.ts';
import { withItem, withItems } from '../../../contract/studio/yaml-lists.ts';
import type { Value } from '../../../contract/studio/yaml-written.ts';

const text = `# Ours
families:
  - id: design
    name: Design # not Art
    description: Work.
    options:
      # the best
      - id: logo
        name: "Logo"
        description: A logo.
        turnaround_hours: 72
        auto_approval_hours: 120
      - { id: page, name: Page, description: A page., turnaround_hours: 96, auto_approval_hours: 120 }
    intake_requirements:
      - label: Brand name
        hint: Which
        example: Rise
      - label: Use
        hint: Where
        example: Shop
        not_for: [page]
    quality_signals: [Readable]
`;
const logo: Path = ['families', 0, 'options', 0];
const questions: Path = ['families', 0, 'intake_requirements'];
const read = (from: string) => familiesIn(from) ?? [];
const changed = (...steps: [Path, Value | undefined][]) =>
  steps.reduce((now, [path, value]) => put(now, path, value) ?? '', text);
const wordsOf = (now: string) =>
  changesBetween(read(text), read(now), text).map(({ of, words, was, now: next }) =>
    [of, words, was, next].filter((part) => part !== undefined).join(' | '),
  );

describe('changes in words', () => {
  const cases: [string, [Path, Value | undefined][], string[]][] = [
    ['nothing', [], []],
    ['a figure', [[[...logo, 'turnaround_hours'], 48]], ['Logo | Turnaround | 72 | 48 hours']],
    ['a new figure', [[[...logo, 'revision_hours'], 24]], ['Logo | Hours of a round | any | 24']],
    ['a figure with a default', [[[...logo, 'revision_rounds'], 3]], ['Logo | Rounds of changes | 2 | 3']],
    ['a name', [[[...logo, 'name'], 'Emblem']], ['Emblem | Name is now “Emblem”']],
    ['another reviewer', [[[...logo, 'reviewer'], 'other']], ['Logo | Review | A review first | A colleague first']],
    ['no review', [[[...logo, 'quality_review'], false]], ['Logo | Review | A review first | No review']],
    ['a retired service', [[[...logo, 'retired'], true]], ['Logo | No longer offered']],
    ['a retired family', [[['families', 0, 'retired'], true]], ['Design | No longer offered']],
    ['a checklist', [[[...logo, 'checklist'], ['Spelling']]], ['Logo | Checklist changed']],
    [
      'a kind',
      [
        [[...questions, 1, 'kind'], 'choice'],
        [
          [...questions, 1, 'choices'],
          ['A', 'B'],
        ],
      ],
      ['Design | “Use” is now a choice of 2'],
    ],
    ['optional', [[[...questions, 0, 'optional'], true]], ['Design | “Brand name” is now optional']],
    ['a label', [[[...questions, 0, 'label'], 'Brand']], ['Design | “Brand name” is now “Brand”']],
    ['a hint', [[[...questions, 0, 'hint'], 'What']], ['Design | “Brand name” is asked in other words']],
    ['for whom', [[[...questions, 1, 'not_for'], undefined]], ['Design | “Use” is asked for Logo and Page']],
  ];
  test.each(cases)('says %s', (_, steps, words) => {
    const now = changed(...steps);
    expect(wordsOf(now)).toEqual(words);
  });

  test.each(cases)('takes %s back, and the text is as before', (_, steps) => {
    const now = changed(...steps);
    const undone = changesBetween(read(text), read(now), text).reduce((from, { undo }) => undo(from) ?? 'no way', now);
    expect(undone).toBe(text);
  });

  test('says and takes back what is new, gone, or in another order', () => {
    const value = { label: 'Date', hint: 'When', example: 'May' };
    const now = withItems(text, questions, [{ value }, 1, 0]) ?? '';
    expect(wordsOf(now)).toEqual(['Design | “Date” is asked, too', 'Design | Questions are asked in another order']);
    const shorter = withItems(text, questions, [0]) ?? '';
    expect(wordsOf(shorter)).toEqual(['Design | “Use” is no longer asked']);
    expect(changesBetween(read(text), read(shorter), text)[0]?.undo(shorter)).toBe(text);
    const order = withItems(text, questions, [1, 0]) ?? '';
    expect(changesBetween(read(text), read(order), text)[0]?.undo(order)).toBe(text);
    const services = withItems(text, ['families', 0, 'options'], [1, 0]) ?? '';
    expect(wordsOf(services)).toEqual(['Design | Services stand in another order']);
    const fewer = withItems(text, ['families', 0, 'options'], [0]) ?? '';
    expect(wordsOf(fewer)).toEqual(['Page | Service removed']);
    expect(changesBetween(read(text), read(fewer), text)[0]?.undo(fewer)).toBe(text);
    const none = withItems(text, ['families', 0, 'options'], [1]) ?? '';
    expect(none).not.toContain('# the best');
    expect(changesBetween(read(text), read(none), text)[0]?.undo(none)).toBe(text);
    const more =
      withItems(text, ['families'], [0, { value: { ...read(text)[0]?.entry, id: 'art', name: 'Art' } }]) ?? '';
    expect(wordsOf(more)).toEqual(['Art | New family']);
    expect(changesBetween(read(text), read(more), text)[0]?.undo(more)).toBe(text);
  });

  test('a comment is no change of what is offered', () => {
    expect(wordsOf(text.replace('# Ours', '# Theirs'))).toEqual([]);
  });
});

test('says what becomes of open jobs and drafts', () => {
  const services = [
    { service_family: 'design', service_type: 'logo', open_jobs: 2, open_drafts: 4 },
    { service_family: 'design', service_type: null, open_jobs: 0, open_drafts: 1 },
  ];
  const said = (steps: [Path, Value | undefined][]) =>
    changesBetween(read(text), read(changed(...steps)), text).map((change) => sayConcerned(change, services));
  expect(said([[[...logo, 'turnaround_hours'], 48]])).toEqual(['2 open jobs keep 72']);
  expect(said([[[...logo, 'retired'], true]])).toEqual(['2 open jobs go on. 4 open drafts are told']);
  expect(said([[[...questions, 0, 'hint'], 'x']])).toEqual(['5 open drafts are told']);
  expect(said([[[...logo, 'name'], 'x']])).toEqual(['']);
  expect(said([[[...logo, 'quality_review'], false]])).toEqual(['2 open jobs keep what was promised']);
  expect(said([[[...questions, 1, 'hint'], 'x']])).toEqual(['4 open drafts are told']);
});

test('a service that is removed leaves no question and no list that names it', () => {
  const entry = { ...read(text)[0]?.services[0]?.entry, id: 'sign', name: 'Sign' };
  const both = withItem(text, ['families', 0, 'options'], 2, entry) ?? '';
  const question = (label: string, places: object) => ({ label, hint: 'x', example: 'x', ...places });
  const full = [question('Own', { only_for: ['sign'] }), question('Shared', { only_for: ['sign', 'logo'] })].reduce(
    (now, value) => withItem(now, questions, 9, value) ?? '',
    put(both, [...questions, 1, 'not_for'], ['page', 'sign']) ?? '',
  );
  const without = read(withoutService(full, 'design/sign') ?? '')[0];
  expect(without?.services.map(({ id }) => id)).toEqual(['logo', 'page']);
  expect(without?.questions.map(({ entry: { label, only_for: only, not_for: not } }) => [label, only, not])).toEqual([
    ['Brand name', undefined, undefined],
    ['Use', undefined, ['page']],
    ['Shared', ['logo'], undefined],
  ]);
  const isNew = changesBetween(read(text), read(full), text).find((change) => change.isNew);
  expect([isNew?.id, isNew?.undo(full)]).toEqual(['design/sign', withoutService(full, 'design/sign')]);
  expect(withoutService(text, 'design')).toBeNull();
});

test('a family is retired with its last service, and of a retired family one service is offered again', () => {
  const retiredIn = (now: string | null) =>
    read(now ?? '').flatMap(({ retired, services }) => [retired, ...services.map((service) => service.retired)]);
  const one = withRetired(text, 'design/logo', true);
  expect(retiredIn(one)).toEqual([false, true, false]);
  const all = withRetired(one ?? '', 'design/page', true);
  expect(retiredIn(all)).toEqual([true, true, true]);
  const family = put(text, ['families', 0, 'retired'], true) ?? '';
  expect(retiredIn(withRetired(family, 'design/page', false))).toEqual([false, true, false]);
});

test('the form leaves alone what it cannot read', () => {
  for (const other of ['', 'families: x', 'families: [1]', 'families:\n  - id: a\n    options: no\n', 'a: ['])
    expect(familiesIn(other), other).toBeNull();
  const wrong = familiesIn(text.replace('72', 'soon').replace('[page]', 'page'));
  expect(wrong?.[0]?.services[0]?.entry.turnaround_hours).toBe('soon');
});

test('a question is asked for the services that it names, or all but those', () => {
  const [name, use] = read(text)[0]?.questions ?? [];
  expect([name && isAskedFor(name, 'page'), use && isAskedFor(use, 'page'), use && isAskedFor(use, 'logo')]).toEqual([
    true,
    false,
    true,
  ]);
});

test('an id is made of a name, and never one that is taken', () => {
  expect(idFrom('Größe & Form', [])).toBe('grosse_form');
  expect(idFrom('3D models', [])).toBe('d_models');
  expect(idFrom('Logo', ['logo', 'logo_2'])).toBe('logo_3');
  expect(idFrom('名刺', [])).toBe('service');
});
