import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bare, isAnswer } from '../requirements/answer.ts';
import { missingRequirements } from '../requirements/intent.ts';
import { loadCatalog } from '../catalog/load-catalog.ts';
import { instructionsOf } from './brief.ts';
import { converse, greet, greetBack, type Turn } from './conversation.ts';
import type { NamedFile } from './remember.ts';
import { missingOf } from './talk.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../catalog', import.meta.url)));
const families = [...catalog.families.values()];
const design = catalog.families.get('design')!;
const writing = catalog.families.get('writing')!;

const reply = (turn: Turn, message: string, family = design, files: NamedFile[] = []) =>
  converse(catalog, family, turn.talk, { message, files, proposal: null });
/** A conversation after these messages. */
const after = (messages: string[], family = design, option: string | null = 'logo') =>
  messages.reduce((turn, message) => reply(turn, message, family), greet(family, option));
const answersAfter = (...messages: string[]) => after(messages).talk.answers;
const ready = () => after(['Rise', 'families', 'warm', 'signs', 'none']);

describe('the option', () => {
  test.each([
    [
      'design',
      'logo',
      ['a logo please', 'We need a new LOGO for our shop', '1', 'the first one', 'number 1', 'a lgoo'],
    ],
    [
      'design',
      'landing_page',
      ['landing page', 'a landing-page', 'landing_page', 'one landing page, for a webinar', '2.'],
    ],
    ['design', 'social_set', ['something for social media', 'social set', 'third']],
    [
      'design',
      'image_cutout',
      ['cut out photos', 'image cutouts', 'cut-outs', 'remove the backgrounds from our product photos'],
    ],
    ['writing', 'proofreading', ['can you proofread my text?', 'proof-reading', 'not an article, proofreading']],
    ['writing', 'email_sequence', ['a sequence of emails', 'e-mails', 'email sequence']],
    ['research', 'fact_check', ['fact-checking', 'check the facts', 'fact check']],
    ['software', 'api_integration', ['integrate two APIs', 'an integration', 'connect our shop to the till']],
    ['software', 'bug_fix', ['there is a bug', 'fix a bug', 'bugfix']],
    ['data', 'dataset_labeling', ['label 500 images', 'labeling', 'dataset labelling']],
    ['data', 'dashboard', ['a dashbord', 'dashboard']],
  ])('%s: %s from free text', (id, option, texts) => {
    const family = catalog.families.get(id)!;
    for (const text of texts) expect([text, after([text], family, null).talk.service_type]).toEqual([text, option]);
  });

  test.each(['hello', 'we are a bakery', 'a logo and a landing page', 'I don’t know', '9', 'can you help us?'])(
    '%j names none, so it is asked for again, as a list with numbers',
    (text) => {
      const turn = after([text], design, null);
      expect(turn.talk).toMatchObject({ service_type: null, asked: { option: true } });
      expect(turn.reply).toMatch(/1\. Logo: .*\n2\. Landing page design: /);
    },
  );

  test.each([
    'Actually, a landing page',
    'no, I want a landing page instead',
    'Change it to a landing page',
    'I changed my mind: a landing page please',
  ])('%j changes it, and keeps what was told', (text) => {
    const turn = reply(after(['Rise Bakery']), text);
    expect(turn.talk).toMatchObject({ service_type: 'landing_page', answers: { 'Brand name': 'Rise Bakery' } });
    expect(turn.reply).toContain('Landing page design instead');
  });

  test.each([
    'Our landing page is blue',
    'No gradients, like our landing page',
    'actually the style of our landing page is the model',
  ])('%j does not', (text) => expect(reply(after(['Rise Bakery']), text).talk.service_type).toBe('logo'));
});

describe('answers', () => {
  test('a bare reply answers what was asked', () => {
    expect(answersAfter('Rise Bakery, "Bread before seven"', 'families nearby.')).toEqual({
      'Brand name': 'Rise Bakery, "Bread before seven"',
      'Target audience': 'families nearby',
    });
  });

  test('several answers in one message, by label, by name and in passing', () => {
    const text =
      'The brand name is Rise. Target audience: families\nThe style should be warm, and it will be used on signs.';
    expect(answersAfter(text)).toMatchObject({
      'Brand name': 'Rise',
      'Target audience': 'families',
      'Style preferences': expect.stringContaining('warm'),
    });
  });

  test('an answer to something else leaves the question open', () => {
    const turn = after(['It is aimed at students.']);
    expect(turn.talk.answers).toEqual({ 'Target audience': 'aimed at students' });
    expect(turn.talk.asked).toEqual({ requirement: 'Brand name' });
    expect(turn.reply).toContain('I noted: Target audience.');
  });

  test.each([
    ['actually the audience is students', 'students'],
    ['no, the audience is students', 'students'],
    ['No wait: the target audience should be students.', 'students'],
    ['Sorry, target audience: students', 'students'],
    ['The audience is not families but students', 'students'],
    ['change the audience to students', 'students'],
    ['Please set the target audience to students', 'students'],
    ['audience: students', 'students'],
  ])('%j corrects', (text, answer) => {
    const turn = reply(after(['Rise', 'families']), text);
    expect(turn.talk.answers['Target audience']).toBe(answer);
    expect(turn.reply).toContain('Target audience is now: students.');
    expect(turn.talk.asked).toEqual({ requirement: 'Style preferences' });
  });

  test('"also" adds to an answer', () => {
    const turn = reply(ready(), 'Also, the audience is tourists');
    expect(turn.talk.answers['Target audience']).toBe('families; tourists');
  });

  test('a requirement of which the catalog’s example is a question takes one as its answer', () => {
    const research = catalog.families.get('research')!;
    const turn = after(['Is there room for a second bakery in Leeds?'], research, 'market_overview');
    expect(turn.talk.answers['Research question']).toBe('Is there room for a second bakery in Leeds?');
  });

  test('a correction in the words of another option is no change of the option', () => {
    const turn = after(
      ['sourdough', 'home bakers', 'warm', '1,200 words', 'no, make it 1,000 words'],
      writing,
      'blog_article',
    );
    expect(turn.talk).toMatchObject({ service_type: 'blog_article', answers: { Length: '1,000 words' } });
  });

  test('a deadline is kept, and the last one counts', () => {
    const turn = after(['Rise', 'The deadline is Monday.', 'actually the deadline is Friday']);
    expect(turn.talk.deadline).toBe('Friday');
    expect(turn.reply).toContain('Friday');
    expect(after(['We need it by 12 May.']).talk.deadline).toBe('12 May');
    expect(turn.talk.answers).toEqual({ 'Brand name': 'Rise' });
  });
});

describe('what cannot be answered', () => {
  test.each(["I don't know", 'no idea', 'skip', 'Not sure yet.', 'TBD', 'pass', 'leave it open', 'n/a'])(
    '%j leaves open at once what the catalog lets stay open',
    (text) => {
      const turn = reply(after(['Rise', 'families', 'warm', 'signs']), text);
      expect(turn.talk.open).toEqual(['Existing brand assets']);
      expect(turn.brief?.customer_instructions).toContain('Existing brand assets: not known yet');
    },
  );

  test('the rest is explained once, and then stays open too: the customer may go on', () => {
    const first = after(['I don’t know']);
    expect(first.reply).toMatch(/some idea.*answer “skip”.*What is the brand name\?/s);
    expect(first.talk.asked).toEqual({ requirement: 'Brand name' });
    const second = reply(first, 'skip');
    expect(second.talk).toMatchObject({ open: ['Brand name'], asked: { requirement: 'Target audience' } });
    const last = ['families', 'warm', 'signs', 'none'].reduce((turn, text) => reply(turn, text), second);
    expect(last.reply).toContain('Left open: Brand name');
    expect(missingOf(design, last.talk).map(({ label }) => label)).toEqual(['Brand name']);
    expect(reply(last, 'The brand name is Rise').talk).toMatchObject({ open: [], answers: { 'Brand name': 'Rise' } });
  });

  test('"no" and "none" are answers where nothing is an answer', () => {
    const assets = after(['Rise', 'families', 'warm', 'signs', 'no']);
    expect(assets.talk.answers['Existing brand assets']).toBe('no');
    expect(answersAfter('no')).toEqual({});
  });

  test('a requirement may be skipped by its name', () => {
    expect(after(['skip the style']).talk).toMatchObject({
      open: ['Style preferences'],
      asked: { requirement: 'Brand name' },
    });
  });
});

describe('questions about the service are answered from the catalog', () => {
  test.each([
    ['How long does it take?', 'Logo: first delivery is planned within 3 days of the order.'],
    ['how long would a landing page take?', 'Landing page design: first delivery is planned within 4 days'],
    ['When will I get it?', 'within 3 days'],
    ['How many revisions do I get?', 'Logo: 3 rounds of changes are included.'],
    ['What if I don’t like it?', '3 rounds of changes'],
    ['Who checks the quality?', 'the studio looks at the work before you do, and you have 5 days'],
    ['What does it cost?', 'Solo (5 jobs for 49.00 USD a month), Agent'],
    ['what do you need from me?', 'Still open: Brand name, Target audience, Style preferences'],
    ['What else can you do?', 'Image cut-outs – Backgrounds removed'],
    ['What do you mean?', 'The name exactly as it must appear'],
    ['Can I send you photos?', 'upload the file, then write its id here'],
    ['What happens next?', 'you confirm it, and that creates the job'],
    ['Are you a robot?', 'automatic concierge'],
    ['What do you have so far?', 'no answer yet'],
    ['How many revisions are included?', '3 rounds of changes are included'],
  ])('%j: %s', (text, answer) => {
    const turn = after([text]);
    expect(turn.reply).toContain(answer);
    expect(turn.talk).toMatchObject({ answers: {}, asked: { requirement: 'Brand name' } });
    expect(turn.reply).toContain('What is the brand name?');
  });

  test('what the catalog does not say goes to the studio', () => {
    const turn = after(['Can you make it rotate in three dimensions?']);
    expect(turn.reply).toContain('it goes along with the brief');
    expect(turn.talk.answers).toEqual({});
  });

  test('a question and an answer in one message', () => {
    const turn = after(['Rise Bakery. How long does it take?']);
    expect(turn.talk.answers).toEqual({ 'Brand name': 'Rise Bakery' });
    expect(turn.reply).toMatch(/3 days.*Who is the target audience\?/s);
  });

  test('numbers in replies come from the catalog or from the customer', () => {
    const known = JSON.stringify([catalog.view, [...catalog.plans.values()]]);
    const texts = [
      'How long?',
      'What does it cost?',
      'How many revisions?',
      'Who reviews it?',
      'Which options are there?',
    ];
    for (const family of families)
      for (const { reply: said } of texts.map((text) => after([text], family, null)))
        for (const number of said.match(/\d+(?:[.,]\d+)?/g) ?? []) {
          const [hours, cents] = [Number(number) * 24, Math.round(Number(number) * 100)];
          const found = [number, hours, cents].some((one) => new RegExp(`(?<!\\d)${one}(?!\\d)`).test(known));
          expect(found || Number(number) <= family.options.length, `${number} in ${said}`).toBe(true);
        }
  });
});

describe('small talk holds nothing for the studio', () => {
  test.each([
    ['Hi there!', 'Hello!'],
    ['Thanks a lot', 'You are welcome.'],
    ['ok', ''],
    ['yes', ''],
  ])('%j', (text, answer) => {
    const turn = after([text]);
    expect(turn.reply).toContain(answer);
    expect(turn.talk).toMatchObject({ answers: {}, words: [], asked: { requirement: 'Brand name' } });
  });

  test('"yes" to the brief is not yet a confirmation', () => {
    const turn = reply(ready(), 'Yes, perfect!');
    expect(turn.brief?.version).toBe(2);
    expect(turn.reply).toContain('please confirm version 2');
  });
});

describe('the brief', () => {
  test('carries the answers as label and answer, then the customer’s own words', () => {
    const turn = after([
      'We are a bakery and need a logo by Friday',
      'Rise',
      'families',
      'no, the audience is students',
      'warm',
      'signs',
      'skip',
    ]);
    expect(turn.brief).toEqual({
      version: 1,
      service_family: 'design',
      service_type: 'logo',
      customer_title: 'Logo: Rise',
      customer_instructions: [
        'Brand name: Rise',
        'Target audience: students',
        'Style preferences: warm',
        'Where it will be used: signs',
        'Deadline: Friday',
        'Existing brand assets: not known yet (left open by the customer)',
        '',
        'In the customer’s own words:',
        '- We are a bakery and need a logo by Friday',
        '- Target audience at first: families',
        '- no, the audience is students',
      ].join('\n'),
      answered_requirements: [
        { requirement: 'Brand name', answer: 'Rise' },
        { requirement: 'Target audience', answer: 'students' },
        { requirement: 'Style preferences', answer: 'warm' },
        { requirement: 'Where it will be used', answer: 'signs' },
      ],
      quality_signals: design.quality_signals,
      file_ids: [],
    });
  });

  test('is read back, and again when something of it changed', () => {
    const turn = ready();
    expect(turn.reply).toMatch(/version 1:\n\nLogo: Rise\nBrand name: Rise\nTarget audience: families\n/);
    expect(turn.reply).toContain('within 3 days of the order, with 3 rounds of changes');
    expect(reply(turn, 'the style is cold').reply).toMatch(
      /Style preferences is now: cold\..*version 2:.*Style preferences: cold/s,
    );
    expect(reply(turn, 'Please mind the gap').reply).toBe(
      'I keep that for the studio.\n\nYour brief, now version 2, is ready; nothing is ordered until you confirm it.',
    );
  });

  test('carries the files that were named, once each', () => {
    const files = [
      { id: 'file_a', name: 'rye.png' },
      { id: 'file_b', name: null },
    ];
    const turn = reply(reply(ready(), 'See file_a', design, files), 'file_a again', design, files);
    expect(turn.brief?.file_ids).toEqual(['file_a']);
    expect(turn.reply).toContain('rye.png');
    expect(turn.reply).toContain('no uploaded file of yours that is still free as file_b');
  });

  test('has a title of one line, whatever the first answer is', () => {
    const { brief } = after([`Brand name:\n- ${'Rise 🥖 '.repeat(60)}\n- two`, 'families', 'warm', 'signs', 'none']);
    expect([...brief!.customer_title].length).toBeLessThanOrEqual(120);
    expect(brief!.customer_title).toMatch(/^Logo: Rise 🥖[^\n]*…$/);
  });
});

describe('a plain customer', () => {
  const cases = families.flatMap((family) => family.options.map((option): [string, string] => [family.id, option.id]));
  test.each(cases)('%s, %s: a brief after at most (requirements + 2) messages', (familyId, optionId) => {
    const family = catalog.families.get(familyId)!;
    const option = family.options.find(({ id }) => id === optionId)!;
    const examples = new Map(family.intake_requirements.map(({ label, example }) => [label, example]));
    for (const name of [
      option.name,
      option.id.replaceAll('_', ' '),
      `We need: ${option.name.toLowerCase()}, please.`,
    ]) {
      let turn = reply(greet(family, null), name, family);
      let messages = 1;
      for (let { asked } = turn.talk; asked && 'requirement' in asked; { asked } = turn.talk) {
        turn = reply(turn, examples.get(asked.requirement)!, family);
        messages += 1;
        expect(messages).toBeLessThanOrEqual(family.intake_requirements.length + 2);
      }
      expect(turn.brief).toMatchObject({ version: 1, service_type: optionId });
      expect(missingRequirements(family, turn.brief!.customer_instructions)).toEqual([]);
    }
  });
});

describe('any conversation', () => {
  const phrase = fc
    .oneof(
      fc.lorem({ maxCount: 12 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => text.isWellFormed() && !text.includes('\0')),
      fc.constantFrom(
        'skip',
        'I don’t know',
        'yes',
        'no',
        'hello',
        'thanks',
        'actually a landing page',
        'a logo',
        'an article',
        'How long does it take?',
        'Can you fly?',
        'Brand name: Rise',
        'Length: 800 words\n\nTone: warm',
        'no, the audience is students',
        'also the tone is dry',
        'the deadline is Friday',
        '- one\n- two\n  three',
        'TBD',
        'Target audience: TBD',
        'İİİ style is İ 🎉',
        'What is the brand name?',
        'Brand name:',
        'x: y: z',
        'In the customer’s own words:',
        '## Key points\n- a\n- b',
      ),
    )
    .filter((text) => /\S/.test(text));
  const conversation = fc.record({
    family: fc.constantFrom(...families),
    start: fc.boolean(),
    messages: fc.array(
      fc.array(phrase, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('. ')),
      { minLength: 1, maxLength: 12 },
    ),
  });
  const turnsOf = (family: (typeof families)[number], messages: string[], begins: boolean) => {
    const said = (message: string) => ({ message, files: [], proposal: null });
    const [first = '', ...rest] = messages;
    let turn = begins ? greetBack(catalog, family, null, said(first)) : greet(family, null);
    const turns = [turn];
    for (const message of begins ? rest : messages)
      turns.push((turn = converse(catalog, family, turn.talk, said(message))));
    return turns;
  };
  const wordsOf = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}\p{S}]+/gu) ?? []).join(' ')} `;
  /** Said to the concierge alone, it stands in the messages of the session and not in the brief. */
  const isForConcierge = (family: (typeof families)[number], sentence: string) =>
    !isAnswer(bare(sentence)) ||
    /^\W*(?:skip|yes|no|hello|thanks)\W*$/i.test(sentence) ||
    family.options.some(({ id, name }) =>
      wordsOf(sentence.replace(/\bactually\b|\ban?\b/g, ''))
        .trim()
        .split(' ')
        .every((word) => wordsOf(`${name} ${id.replaceAll('_', ' ')}`).includes(` ${word} `)),
    );

  test('never loses a word: all that is said for the studio stands in the instructions', () => {
    fc.assert(
      fc.property(conversation, ({ family, start, messages }) => {
        const { talk } = turnsOf(family, messages, start).at(-1)!;
        const instructions = wordsOf(instructionsOf(family, talk));
        for (const message of messages.filter(
          (one) => !one.split(/[.!?\n]/).every((part) => isForConcierge(family, part)),
        ))
          for (const line of message.split('\n').filter((one) => wordsOf(one).trim() !== ''))
            expect(instructions).toContain(wordsOf(line));
      }),
      { numRuns: 500 },
    );
  });

  test('asks for one thing at a time, or proposes the brief and asks nothing', () => {
    fc.assert(
      fc.property(conversation, ({ family, start, messages }) => {
        for (const { talk, brief, reply: said } of turnsOf(family, messages, start)) {
          const questions = family.intake_requirements
            .filter(({ question }) => said.includes(question))
            .map(({ label }) => label);
          const option = said.includes('Which of these do you need');
          const quoted = messages.some((message) =>
            family.intake_requirements.some(({ question }) => message.includes(question)),
          );
          if (quoted) return;
          expect(questions.length + Number(option)).toBe(talk.asked === null ? 0 : 1);
          if (talk.asked && 'requirement' in talk.asked) expect(questions).toEqual([talk.asked.requirement]);
          expect(brief === null).toBe(talk.asked !== null);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('ends in a brief whose instructions answer what the conversation answered, by the rule of the intent check', () => {
    fc.assert(
      fc.property(conversation, ({ family, start, messages }) => {
        let turn = turnsOf(family, messages, start).at(-1)!;
        for (let steps = 0; turn.talk.asked !== null; steps += 1) {
          expect(steps).toBeLessThan(10);
          const { asked } = turn.talk;
          const message =
            'option' in asked
              ? '1'
              : family.intake_requirements.find(({ label }) => label === asked.requirement)!.example;
          turn = converse(catalog, family, turn.talk, { message, files: [], proposal: null });
        }
        const missing = missingOf(family, turn.talk).map(({ label }) => label);
        const found = missingRequirements(family, turn.brief!.customer_instructions);
        expect(missing).toEqual(expect.arrayContaining(found));
      }),
      { numRuns: 500 },
    );
  });

  test('is the same when it is held again', () => {
    fc.assert(
      fc.property(conversation, ({ family, start, messages }) => {
        expect(turnsOf(family, messages, start)).toEqual(turnsOf(family, messages, start));
      }),
      { numRuns: 50 },
    );
  });

  test('with hostile messages of 4,000 characters takes linear time', () => {
    const bits = [
      'a',
      ' ',
      '\n',
      'a ',
      'x: ',
      'no, ',
      'and the tone is ',
      'the audience is ',
      'change the tone to ',
      'by monday ',
      'skip ',
      '? ',
      'a, b. ',
      'also ',
      '((',
      'Length: ',
      'a logo ',
      '🎉',
      'İ',
      'not a b, ',
      '1. a ',
      'a\n',
      'you decide, ',
      'start over. ',
      'remove the audience. ',
      'I like it, but it is for bakers and we are ',
    ];
    let slowest = 0;
    for (const family of [design, writing])
      for (const bit of bits) {
        const message = bit.repeat(4000 / bit.length);
        const turn = after([], family);
        const times = [1, 2, 3].map(() => {
          const began = performance.now();
          reply(turn, message, family);
          return performance.now() - began;
        });
        slowest = Math.max(slowest, Math.min(...times));
      }
    // A text that takes quadratic time takes a second and more; a linear one is done in a few milliseconds.
    expect(slowest).toBeLessThan(200);
  });
});
