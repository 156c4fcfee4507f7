import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RequirementKind } from '../../contract/ordering/catalog.ts';
import { findSuggestions, missingRequirements } from './find-suggestions.ts';
import { isAnswer } from './is-answer.ts';
import { strip, trimmed } from '../lib/marks.ts';
import { loadCatalog } from '../catalog/load-catalog.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../catalog', import.meta.url)));
const families = [...catalog.families.values()];
const design = catalog.families.get('design')!;
const answers = (text: string, family = design) =>
  Object.fromEntries(findSuggestions(family, null, text).map(({ requirement, answer }) => [requirement, answer]));

describe('a label with an answer behind it', () => {
  test.each([
    'Target audience: families nearby',
    'target AUDIENCE : families nearby',
    '**Target audience:** families nearby',
    '**Target audience**: families nearby',
    '- Target audience - families nearby',
    '* Target audience – families nearby',
    '1. Target audience: families nearby',
    '2) __Target audience__ — families nearby',
    '## Target audience\nfamilies nearby',
    '## Target audience\n\nfamilies nearby\n\n## Next',
    '### 3. **Target audience** (required)\r\n\r\n- families nearby',
    'Target audience\nfamilies nearby',
    'Target audience:\n\n  families nearby',
    'Target audience?\nfamilies nearby',
    'Target audience (who is it for): families nearby',
    '| Target audience | families nearby |',
    '{ "target_audience": "families nearby" }',
    'target-audience = families nearby',
    'Hello! We love your work. Target audience: families nearby',
    '> Target audience:\tfamilies nearby',
    'Target audience： families nearby',
    'Target audience: TBD\n\nSorry, now we know.\nTarget audience: families nearby',
  ])('%j answers', (text) => {
    expect(answers(text)['Target audience']).toBe('families nearby');
  });

  test.each(['(a) families, (b) tourists', '"Regulars" and commuters', '~30 people a day', '(mostly) families'])(
    'the mark before %j belongs to the answer',
    (answer) => expect(answers(`Target audience: ${answer}`)['Target audience']).toBe(answer),
  );

  test('an answer of several lines is taken as a whole', () => {
    const text = '## Target audience\n- families nearby\n- tourists\n\n## Brand name\nRise';
    expect(answers(text)).toEqual({ 'Target audience': 'families nearby\n- tourists', 'Brand name': 'Rise' });
  });
  test('the answer ends where the next label begins', () => {
    expect(answers('Brand name: Rise; Target audience: families. Style preferences: warm')).toEqual({
      'Brand name': 'Rise',
      'Target audience': 'families',
      'Style preferences': 'warm',
    });
  });
  test.each(['no', 'None', 'x', '42', 'answer', 'TBC Bank', 'Unknown Pleasures Records', '日本語', '🎉', 'N/A Studio'])(
    '%s is a real answer',
    (text) => expect(answers(`Brand name: ${text}`)).toEqual({ 'Brand name': text }),
  );
});

describe('a label said in a sentence', () => {
  test.each([
    ['The target audience is families nearby.', 'families nearby'],
    ['Hello. Our customers are commuters', 'commuters'],
    ['It is a bakery, and the audience should be tourists; no rush.', 'tourists'],
  ])('%j answers %j', (text, answer) => {
    expect(answers(text)['Target audience']).toBe(answer);
  });
  test.each(['The audience is not decided yet.', 'Is the audience large?', 'We ask who the audience is today'])(
    '%j does not',
    (text) => expect(answers(text)['Target audience']).toBeUndefined(),
  );
});

describe('no answer', () => {
  test.each([
    'TBD',
    'tbd.',
    'TBA',
    'n/a',
    'N/A',
    'NA',
    '?',
    '???',
    '-',
    '—',
    '...',
    '…',
    'none yet',
    'not yet',
    'unknown',
    'Unknown for now',
    'to be decided',
    'to be confirmed',
    'TBC (client to confirm)',
    'not sure',
    'Not sure yet',
    "I don't know",
    'don’t know yet',
    'no idea',
    'will send later',
    'coming soon',
    'todo',
    'XXX',
    '<target audience>',
    '{{audience}}',
    '[TBD]',
    '"TBD"',
    '**TBD**',
    '[insert audience here]',
    'your answer here',
    'not decided',
    'we have not decided yet',
    'not sure yet, ask my partner',
    'we must think about that',
    'I have never thought about it, ask me later',
    '',
  ])('%j behind the label', (text) => {
    expect(missingRequirements(design, `Brand name: Rise\nTarget audience: ${text}`)).toContain('Target audience');
    expect(missingRequirements(design, `Target audience: ${text}\nBrand name: Rise`)).toContain('Target audience');
    expect(missingRequirements(design, `Target audience: ${text}; Brand name: Rise`)).toContain('Target audience');
    expect(missingRequirements(design, `## Target audience\n${text}\n\n## Notes\nhello`)).toContain('Target audience');
  });
  test.each([
    'The target audience will be discussed in the call',
    'Who is the target audience?',
    'Please think about a target audience',
    'Brand name:\nTarget audience:\nStyle preferences:',
    'Brand name: Target audience: Style preferences:',
    '{ "brand_name": "", "target_audience": "", "style_preferences": "" }',
    'The audience is not yet decided.',
    'Is it aimed at children?',
    '',
  ])('%j says nothing', (text) => {
    expect(missingRequirements(design, text)).toEqual(design.intake_requirements.map(({ label }) => label));
  });
});

test.each([
  ['design', 'Our bakery is a company called Rise.', 'Brand name'],
  ['design', 'It is aimed at young families in the quarter.', 'Target audience'],
  ['design', 'Our customers are mostly\ncommuters', 'Target audience'],
  ['design', 'The logo will be used on signs and paper bags.', 'Where it will be used'],
  ['design', 'The style should be warm and hand-made', 'Style preferences'],
  ['writing', 'Write an article about sourdough', 'Main topic'],
  ['writing', 'around 1,200 words please', 'Length'],
  ['writing', 'a 600-word piece', 'Length'],
  ['writing', 'The tone should be friendly', 'Tone of voice'],
  ['writing', 'It must mention the Saturday class', 'Key points'],
  ['research', 'Find out whether a second shop would pay', 'Research question'],
  ['research', 'We need this to decide on a lease', 'Purpose'],
  ['research', 'Only in Germany, over the last five years', 'Region and period'],
  ['software', 'Currently we type every order by hand', 'Problem to solve'],
  ['software', 'It will be used by two clerks', 'Intended users'],
  ['software', 'It is done when all sample orders are imported', 'Acceptance criteria'],
  ['software', 'The repository is attached', 'Existing code and access'],
  ['data', 'about 40,000 rows', 'Size of the data'],
  ['data', 'We want one CSV file back, deliver it as a table', 'Expected output'],
])('%s: free text "%s" answers %s', (family, text, label) => {
  expect(Object.keys(answers(text, catalog.families.get(family)))).toContain(label);
});

test.each([
  ['Could you write 800 words for home bakers?', true, 'an order in the form of a question counts as a statement'],
  ['Around 800 words, maybe?', true, 'so does a cautious answer'],
  ['Could you suggest a text for home bakers of 800 words?', false, 'asking for advice does not'],
  ['It is for home bakers of 800 words, can you do that?', true, 'nor does a question behind it undo a statement'],
  ['We have not agreed on 800 words yet', false, 'what is put off is open'],
  ['Length: TBD\nPerhaps 800 words', false, 'what is listed as open is not guessed'],
])('%j: %s (%s)', (...[text, counts]) => {
  expect('Length' in answers(text, catalog.families.get('writing'))).toBe(counts);
});

test.each([
  ['a logo for Hollow Oak, our cider farm', true],
  ['a logo for our cider farm, hollow and oak', false],
  ['We open on Monday. For Christmas we close.', false],
])('a name is known by its capital letter: %j, %s', (text, counts) => {
  expect('Brand name' in answers(text)).toBe(counts);
});

test.each(families.map((family) => [family.id, family] as const))(
  'hints, examples and the words of the service %s in free text do not make a draft ready',
  (_, family) => {
    const text = family.options.map(({ name, description }) => `${name}. ${description}`).join('\n');
    expect(missingRequirements(family, text).length).toBeGreaterThanOrEqual(family.intake_requirements.length - 2);
  },
);

describe('writing every requirement as "label: answer" is always enough', () => {
  const real = fc
    .oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.lorem(),
      fc.constantFrom('none', 'no', 'answer', 'Target audience', 'Brand name: Rise', 'a; b. c', '1. one', '**bold**'),
    )
    .map((text) => text.replace(/[\r\n]/g, ' '))
    .filter((text) => /[\p{L}\p{N}]/u.test(text) && isAnswer(strip(text)));
  const filled = fc.constantFrom(...families).chain((family) =>
    fc.record({
      family: fc.constant(family),
      labels: fc.shuffledSubarray(
        family.intake_requirements.map(({ label }) => label),
        {
          minLength: family.intake_requirements.length,
        },
      ),
      given: fc.array(real, { minLength: 10, maxLength: 10 }),
    }),
  );
  const all = (separator: string, given: (text: string) => string = (text) => text) =>
    fc.assert(
      fc.property(filled, ({ family, labels, given: texts }) => {
        const choiceOf = (label: string) =>
          family.intake_requirements.find((requirement) => requirement.label === label)?.choices[0];
        const text = labels.map((label, i) => `${label}: ${given(choiceOf(label) ?? texts[i]!)}`).join(separator);
        expect(missingRequirements(family, text)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  test('on lines of their own', () => all('\n'));
  test('with blank lines between', () => all('\r\n\r\n'));
  test('as a list', () => all('\n- '));
  test.each(['; ', '. ', ', ', ' | '])('on one line with %j between', (separator) => all(separator));
  // There a heading, or another label, is the beginning of something else.
  const label = new RegExp(
    families
      .flatMap((family) => family.intake_requirements.flatMap(({ label, also_called }) => [label, ...also_called]))
      .join('|'),
    'i',
  );
  const underneath = (text: string) => `\n${/^\s*#/.test(text) || label.test(text) ? 'x' : text}`;
  test('with answers on the next line', () => all('\n', underneath));
  test('with the examples of the catalog', () => {
    for (const family of families) {
      const text = family.intake_requirements.map(({ label, example }) => `${label}: ${example}`).join('\n');
      expect(findSuggestions(family, null, text).map(({ answer }) => answer)).toEqual(
        family.intake_requirements.map(({ example }) => trimmed(example)),
      );
    }
  });
});

test('hostile text of 20,000 characters takes linear time', () => {
  const bits = [
    'a',
    ' ',
    '\n',
    ' \n',
    '# ',
    '(',
    '[',
    '*',
    ':',
    '"',
    'Target audience',
    'Target audience: ',
    'Target audience (',
    'Target audience\n',
    'Target audience: \n',
    'target_audience: Brand name: ',
    'Brand name - ',
    'aimed at ',
    'our users are ',
    'is about ',
    'audience is tbd ',
    'write about ',
    '12,345 ',
    '1 234 ',
    'in an a and a ',
    'deliver it as a ',
    'with a big ',
    '. ',
    '? ',
    'remove the ',
    'TBD ',
    '𝒳',
    'ſ',
  ];
  let slowest = 0;
  for (const family of families)
    for (const bit of [...bits, ...family.intake_requirements.map(({ label }) => `${label}:`)]) {
      const text = bit.repeat(20_000 / bit.length);
      missingRequirements(family, text.slice(0, 200));
      const times = [1, 2, 3].map(() => {
        const start = process.cpuUsage();
        missingRequirements(family, text);
        return process.cpuUsage(start).user / 1_000;
      });
      slowest = Math.max(slowest, Math.min(...times));
    }
  // A text that takes quadratic time takes a second and more; a linear one is done in a few milliseconds.
  expect(slowest).toBeLessThan(200);
});

describe('an answer must be of the kind of its requirement', () => {
  test.each<[RequirementKind, answer: string, other: string]>([
    ['choice', 'white', 'grey'],
    ['url', 'https://example.com/shop', 'http://example.com'],
    ['date', '2028-02-29', '2027-02-29'],
    ['date', '2027-01-31', 'next Tuesday'],
  ])('%s: %s, not %s', (kind, answer, other) => {
    const detail = { ...design.intake_requirements[0]!, label: 'Detail', kind, choices: ['Transparent', 'White'] };
    const family = { ...design, intake_requirements: [detail] };
    expect(missingRequirements(family, `Detail: ${answer}`)).toEqual([]);
    expect(missingRequirements(family, `Detail: ${other}`)).toEqual(['Detail']);
  });
});

test.each([
  ['design', 'Graphics for our sailing school, the Blue Anchors.', { 'Brand name': 'Blue Anchors' }],
  ['design', 'It is for parents of small children', { 'Target audience': 'parents of small children' }],
  ['design', 'a poster, mainly older women who sew', { 'Target audience': 'mainly older women who sew' }],
  ['writing', 'a letter for the members that left', { 'Target audience': 'the members that left' }],
  ['writing', 'They must know that the pool is closed', { 'Key points': 'that the pool is closed' }],
  ['research', "It's for our annual report and there's no hurry", { Purpose: 'for our annual report' }],
  ['research', 'What do bakers earn in Norway and Sweden', { 'Region and period': 'Norway and Sweden' }],
  [
    'research',
    'What do bakers earn in England, Scotland and Wales',
    { 'Region and period': 'England, Scotland and Wales' },
  ],
  ['research', 'A short table with prices is enough', { 'Form of the result': 'A short table with prices' }],
  ['research', 'Is it true that cats see red?', {}],
  [
    'software',
    'At the moment the nurses ring each other',
    { 'Problem to solve': 'At the moment the nurses ring each other' },
  ],
  [
    'software',
    'Since the last update mails go out twice',
    { 'Problem to solve': 'Since the last update mails go out twice' },
  ],
  ['software', 'They open it on their tablets', { 'Platform and stack': 'on their tablets' }],
  ['data', 'We have 90 scans', { 'Size of the data': '90 scans' }],
  ['data', 'I should like to have one table by year', { 'Expected output': 'one table by year' }],
])('%s, %j: %j', (family, text, found) => expect(answers(text, catalog.families.get(family))).toEqual(found));

describe('a pasted paragraph', () => {
  const mail = `Hi, we are opening a second shop, Rise Bakery, "Bread before seven", and we need a logo.
It goes on the shop sign, paper bags, the website and insta before 11 December.
We like hand-made things, dark green and cream. NO wheat ears!!`;

  test('has a name with its line, a style with what it avoids, and places without the day', () => {
    expect(answers(mail)).toEqual({
      'Brand name': 'Rise Bakery, "Bread before seven"',
      'Style preferences': 'hand-made things, dark green and cream. NO wheat ears',
      'Where it will be used': 'shop sign, paper bags, the website and insta',
      Networks: 'insta',
    });
  });

  test('has a style where colours stand without a sentence', () => {
    const text =
      'Hand-made, dark green and cream on kraft paper; no wheat ears, no Santa. By Friday 4 December, please.';
    expect(answers(text)).toEqual({
      'Style preferences': 'Hand-made, dark green and cream on kraft paper; no wheat ears, no Santa',
    });
  });

  test.each(['Our door is green.', 'We have a blue van. It is loud.', 'Green energy is what we sell.'])(
    '%j tells no style',
    (text) => expect(answers(text)).toEqual({}),
  );
});
