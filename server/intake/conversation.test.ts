import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../catalog/load-catalog.ts';
import { converse, type Exchange, greet, open } from './conversation.ts';
import { answersOf, type Draft, newDraft, openIn, suggestionsOf } from './draft.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../catalog', import.meta.url)));
const design = catalog.families.get('design')!;

const message = (text: string, asker: 'human' | 'agent' = 'human') => ({
  text,
  files: [],
  findings: [],
  asker,
  now: new Date('2026-11-22'),
});
const begin = (text: string, option: string | null = 'logo') => open(catalog, newDraft(design, option), message(text));
const say = ({ draft }: Exchange, ...texts: string[]): Exchange =>
  texts.reduce((exchange, text) => converse(catalog, exchange.draft, message(text)), { draft } as Exchange);
const answers = ({ draft }: Exchange) =>
  Object.fromEntries(answersOf(design, draft).map(({ requirement, answer }) => [requirement, answer]));
const suggestions = ({ draft }: Exchange) =>
  Object.fromEntries(suggestionsOf(design, draft).map(({ requirement, answer }) => [requirement, answer]));

describe('the opening', () => {
  test('answers no question, also when it comes after the greeting', () => {
    const greeted = greet(design, newDraft(design, 'logo'));
    for (const opened of [begin('We sell cider to farmers'), say(greeted, 'We sell cider to farmers')]) {
      expect(answers(opened)).toEqual({});
      expect(opened.draft.words).toBe('We sell cider to farmers');
      expect(opened.reply).toContain('What is the brand name?');
    }
  });

  test('selects the service, or asks for it', () => {
    expect(begin('a logo, please', null).draft.service_type).toBe('logo');
    expect(begin('hello', null).reply).toContain('1. Logo');
    expect(say(begin('hello', null), 'the third one').draft.service_type).toBe('social_set');
  });

  test('tells the time once, also when it asks for it', () => {
    const { reply } = begin('A logo for Hollow Oak Cider. How long does it take?');
    expect(reply.match(/first delivery/giu)).toHaveLength(1);
  });

  test('says hello once, and what a service promises when it is chosen', () => {
    const greeted = greet(design, newDraft(design, 'logo'));
    expect(greeted.reply).toMatch(/^Hello! Logo: /u);
    expect(say(greeted, 'Good morning!').reply).not.toMatch(/hello|first delivery/iu);
    const unsure = greet(design, newDraft(design, null));
    expect(say(unsure, 'a logo, please').reply).toMatch(/^Logo: first delivery is planned within 3 days/u);
    expect(begin('Good morning!', null).reply).toMatch(/^Hello!/u);
  });

  test('a greeting is not kept', () => {
    expect(begin('Good morning!').draft.words).toBe('');
  });
});

describe('a suggestion', () => {
  const opened = begin('a logo for Hollow Oak Cider, meant for people who like dry cider');

  test('is no answer after the next message', () => {
    expect(suggestions(opened)).toEqual({
      'Brand name': 'Hollow Oak Cider',
      'Target audience': 'people who like dry cider',
    });
    expect(answers(say(opened, 'warm and plain'))).toEqual({ 'Style preferences': 'warm and plain' });
  });

  test('"yes" accepts what the last reply suggested, and nothing older', () => {
    expect(answers(say(opened, 'yes'))).toEqual(suggestions(opened));
    expect(answers(say(opened, 'warm and plain', 'yes'))).toEqual({ 'Style preferences': 'warm and plain' });
    expect(answers(say(opened, 'warm and plain', 'accept all'))).toMatchObject(suggestions(opened));
  });

  test('"no" dismisses it, and it does not come back', () => {
    const refused = say(opened, 'no', 'a logo for Hollow Oak Cider');
    expect(suggestions(refused)).not.toHaveProperty('Brand name');
    expect(answers(refused)).toEqual({});
  });
});

describe('a reply', () => {
  const opened = begin('hello');

  test('answers the question word for word, with its line breaks', () => {
    const exchange = say(opened, 'Rise', 'families', '- warm\n- hand-made');
    expect(answers(exchange)).toMatchObject({ 'Brand name': 'Rise', 'Style preferences': '- warm\n- hand-made' });
  });

  test('with a question and an answer: the question is answered, and the rest is the answer', () => {
    const exchange = say(opened, 'Rise Bakery. How long does it take?');
    expect(answers(exchange)).toEqual({ 'Brand name': 'Rise Bakery' });
    expect(exchange.reply).toContain('3 days');
  });

  test('with a sentence that answers nothing: the rest is the answer, and all of it is kept', () => {
    const exchange = say(opened, 'Rise', 'Families. No idea about their age.');
    expect(answers(exchange)).toMatchObject({ 'Target audience': 'Families' });
    expect(exchange.draft.words).toContain('No idea about their age.');
  });

  test('that asks is answered or passed on to the studio, and the open question comes again, however often', () => {
    const exchange = say(opened, 'Is there parking at your office?');
    expect(exchange.reply).toMatch(/can’t answer that.*What is the brand name\?/s);
    expect(exchange.draft.words).toContain('parking');
    for (const question of ['Is there a bus?', 'And a tram, perhaps?', 'What does it cost?'])
      expect(say(exchange, question, question).draft.question).toEqual({ requirement: 'Brand name' });
    expect(openIn(design, say(exchange, 'Is there a bus?', 'How long?', 'hm?', 'hm?').draft)).toEqual([]);
  });

  test('that declines leaves the field to the studio', () => {
    expect(openIn(design, say(opened, 'no idea').draft)).toEqual(['Brand name']);
  });

  test('that orders leaves open what is open, and confirms nothing', () => {
    const exchange = say(opened, 'Rise', 'just order it');
    expect(exchange.draft.question).toBeNull();
    expect(exchange.reply).toContain('A message alone orders nothing');
    expect(answers(exchange)).toEqual({ 'Brand name': 'Rise' });
  });

  test('that orders keeps what is suggested', () => {
    const exchange = say(begin('a logo for Hollow Oak Cider'), 'just order it');
    expect(exchange.draft.question).toBeNull();
    expect(suggestions(exchange)).toEqual({ 'Brand name': 'Hollow Oak Cider' });
    expect(answers(say(exchange, 'accept all'))).toEqual({ 'Brand name': 'Hollow Oak Cider' });
  });

  test('that is a sentence is no name', () => {
    const exchange = say(opened, 'We are a charity.');
    expect([answers(exchange), suggestions(exchange)]).toEqual([{}, {}]);
    expect(exchange.draft.words).toBe('We are a charity.');
  });

  test('that is a numbered list is only suggested, because one answer was asked for', () => {
    const listed = say(begin('A logo for Fenwick Dental', 'logo'), '1. Fenwick Dental\n2. Patients\n3. You decide');
    expect(answers(listed)).toEqual({});
  });

  test('that repeats the name of the field is told what the field is for', () => {
    const named = say(begin('hi'), 'Brand name');
    expect([answers(named), named.reply]).toEqual([{}, expect.stringContaining('exactly as it must appear')]);
  });

  test('that tells about several fields is suggested for them', () => {
    const exchange = say(opened, 'Rise', 'meant for students, and it should be used on posters and on mugs');
    expect(answers(exchange)).toEqual({ 'Brand name': 'Rise' });
    expect(Object.keys(suggestions(exchange))).toContain('Target audience');
  });

  test('in another language is a suggestion, and the language is named once', () => {
    const first = say(opened, 'Das ist für eine Bäckerei');
    expect(first.reply).toContain('I speak English');
    const second = say(first, 'warm und handgemacht, bitte');
    expect(second.reply).not.toContain('I speak English');
    expect(answers(second)).toEqual({});
    expect(Object.values(suggestions(second))).toContain('warm und handgemacht, bitte');
  });

  test('with a label sets that field, and the question stays', () => {
    const exchange = say(opened, 'Audience: families');
    expect(answers(exchange)).toEqual({ 'Target audience': 'families' });
    expect(exchange.reply).toContain('What is the brand name?');
  });
});

describe('a correction', () => {
  test('"no, make it …" is the new answer for the field just answered, and the open question stays', () => {
    const corrected = say(begin('hello'), 'Rise', 'families', 'no, make it students');
    expect(answers(corrected)).toEqual({ 'Brand name': 'Rise', 'Target audience': 'students' });
    expect(corrected.draft.question).toEqual({ requirement: 'Style preferences' });
    const left = say(begin('hello'), 'Rise', 'you decide', 'no, make it students');
    expect([answers(left), openIn(design, left.draft)]).toEqual([
      { 'Brand name': 'Rise', 'Target audience': 'students' },
      [],
    ]);
  });
  const answered = say(begin('hello'), 'Rise', 'families');

  test('of a draft that 0.2.0 stored, without what was replied last, is no answer to a field without name', () => {
    const { replied: _, ...stored } = answered.draft;
    const next = say({ ...answered, draft: stored as Draft }, 'No, make it blue');
    expect(Object.keys(next.draft.fields)).not.toContain('undefined');
  });

  test('"oops, I meant …" that names a field is suggested for that field', () => {
    const next = say(begin('hello'), 'Rise', 'families', 'warm', 'Oops, I meant the audience is students');
    expect(suggestions(next)).toEqual({ 'Target audience': 'students' });
    expect(answers(next)).toMatchObject({ 'Target audience': 'families', 'Style preferences': 'warm' });
  });

  test('"no, make it …" behind a suggestion is the answer for the suggested field, and drops the suggestion', () => {
    const opened = begin('a logo for Hollow Oak Cider');
    const once = say(opened, 'No, make it Rise Bakery');
    expect([answers(once), suggestions(once)]).toEqual([{ 'Brand name': 'Rise Bakery' }, {}]);
    expect(answers(say(once, 'no, make it Rise & Co'))).toEqual({ 'Brand name': 'Rise & Co' });
    const later = say(opened, 'families', 'Actually it’s Rise & Shine', 'No, make it Rise Bakery');
    expect(answers(later)).toEqual({ 'Brand name': 'Rise Bakery', 'Target audience': 'families' });
    const several = begin('a logo for Hollow Oak Cider, meant for people who like dry cider');
    const unclear = say(several, 'No, make it Rise Bakery');
    expect([answers(unclear), suggestions(unclear)]).toEqual([{}, suggestions(several)]);
    expect(unclear.reply).toContain('Which field');
  });

  test('"no, make it …" with what would be no answer replaces nothing', () => {
    const named = say(begin('hello'), 'Rise');
    for (const rest of ['we are a charity', 'x'.repeat(300)])
      expect(answers(say(named, `No, make it ${rest}`))).toEqual({ 'Brand name': 'Rise' });
    const foreign = say(answered, 'No, make it für Familien und Kinder, die es nicht so teuer haben wollen');
    expect(answers(foreign)).toMatchObject({ 'Target audience': 'families' });
    expect(Object.keys(suggestions(foreign))).toEqual(['Target audience']);
  });

  test('that names the field asks for it again', () => {
    expect(say(answered, 'Sorry, I was wrong about the audience').draft.question).toEqual({
      requirement: 'Target audience',
    });
  });

  test('keeps the answer until the new one is given', () => {
    const correcting = say(answered, 'Sorry, I was wrong about the audience');
    expect(answers(correcting)).toMatchObject({ 'Target audience': 'families' });
    expect(correcting.reply).toContain('Target audience is: families.');
    expect(answers(say(correcting, 'How long does it take?'))).toMatchObject({ 'Target audience': 'families' });
    expect(say(correcting, 'How long does it take?').draft.question).toEqual({ requirement: 'Target audience' });
    const corrected = say(correcting, 'students');
    expect(answers(corrected)).toMatchObject({ 'Target audience': 'students' });
    expect(corrected.draft.question).toEqual({ requirement: 'Style preferences' });
  });

  test('of a field that was left open asks for it', () => {
    const correcting = say(begin('hello'), 'Rise', 'no idea', 'I was wrong about the audience');
    expect(correcting.draft.question).toEqual({ requirement: 'Target audience' });
    expect(answers(say(correcting, 'students'))).toMatchObject({ 'Target audience': 'students' });
  });

  test('with the new value suggests it and keeps the old one', () => {
    const exchange = say(answered, 'Actually the audience is students');
    expect(suggestions(exchange)).toEqual({ 'Target audience': 'students' });
    expect(answers(exchange)).toMatchObject({ 'Target audience': 'families' });
    expect(answers(say(exchange, 'yes'))).toMatchObject({ 'Target audience': 'students' });
  });

  test('with a new name suggests it', () => {
    expect(suggestions(say(answered, 'Actually it’s Rise & Shine, I typed it wrong'))).toEqual({
      'Brand name': 'Rise & Shine',
    });
  });

  test('that names no field is asked for its name', () => {
    expect(say(answered, 'Actually, I made a mistake').reply).toContain('Which field');
  });
});

describe('another service', () => {
  const answered = say(begin('hello'), 'Rise', 'families');
  const named = say(answered, 'What we actually need is the social media set');

  test('is asked about before it changes', () => {
    expect(named.draft.service_type).toBe('logo');
    expect(named.reply).toContain('Shall I change the service to Social media set?');
    expect(say(named, 'yes').draft).toMatchObject({ service_type: 'social_set', replied: null });
    expect(say(named, 'no').draft).toMatchObject({
      service_type: 'logo',
      question: { requirement: 'Style preferences' },
    });
  });

  test('keeps the answers that it asks for, and the others as words', () => {
    const changed = say(say(answered, 'I want image cut-outs instead'), 'yes');
    expect([changed.draft.service_type, answers(changed)]).toEqual(['image_cutout', {}]);
    expect(changed.draft.words).toContain('Brand name: Rise\nTarget audience: families');
  });
});

describe('a day', () => {
  const opened = begin('hello');

  test.each([
    ['we need it before 11 December', '2026-12-10'],
    ['Please by December 3rd.', '2026-12-03'],
    ['The deadline is 15 Jan 2027', '2027-01-15'],
    ['It must be online on 5 February', '2027-02-05'],
    ['deadline: 2026-12-24', '2026-12-24'],
    ['By Friday 4 December, please.', '2026-12-04'],
    ['It hangs in the window before 11 December please', '2026-12-10'],
    ['The deadline is Friday, Dec 11', '2026-12-11'],
  ])('%j is the wish and no answer, and the question stays', (text, day) => {
    const { draft, reply } = say(opened, text);
    expect(draft.wanted_by).toBe(`${day}T12:00:00.000Z`);
    expect(reply).toMatch(/^Wished for: .*What is the brand name/su);
    expect(draft).toMatchObject({ words: text, question: { requirement: 'Brand name' } });
  });

  test('behind an answer leaves the answer', () => {
    const exchange = say(opened, 'Rise', 'Families. It has to be done by 3 December.');
    expect(answers(exchange)).toMatchObject({ 'Target audience': 'Families' });
    expect(exchange.draft.wanted_by).toBe('2026-12-03T12:00:00.000Z');
  });

  test.each([
    'We were done by 3 December 2019',
    'we close on 5 January',
    'we need it by 3 December 2019',
    'we need it by 31 February',
    'deadline: 2027-02-30',
    'We want the same look as the brochure on 3 May',
    'The red that we need is 3 May red',
    'We need 12 photos by Monday',
    'We close by Friday 4 December',
  ])('%j is no wish', (text) => expect(say(opened, text).draft.wanted_by).toBeNull());

  test('of today is no wish for next year, and one of last week is', () => {
    const late = (text: string) =>
      converse(catalog, opened.draft, { ...message(text), now: new Date('2026-11-22T15:00Z') }).draft.wanted_by;
    expect(late('we need it by 22 November')).toBeNull();
    expect(late('we need it by 15 November')).toBe('2027-11-15T12:00:00.000Z');
  });

  test('replaces one that was written or has passed, but none that was chosen', () => {
    const written = say(opened, 'we need it by 3 December', 'we need it by 5 December', 'we need it by 3 December');
    expect(say(written, 'we need it by 7 December').draft.wanted_by).toBe('2026-12-07T12:00:00.000Z');
    const chosen = (wanted_by: string) => ({ ...opened, draft: { ...opened.draft, wanted_by } });
    const day = 'we need it by 3 December';
    expect(say(chosen('2026-11-20T12:00:00.000Z'), day).draft.wanted_by).toBe('2026-12-03T12:00:00.000Z');
    const after = say(chosen('2027-01-15T12:00:00.000Z'), day);
    expect([after.draft.wanted_by, after.reply]).toEqual([
      '2027-01-15T12:00:00.000Z',
      expect.stringContaining('Wished for: 15 January 2027.'),
    ]);
    const greeted = { ...greet(design, newDraft(design, 'logo')).draft, wanted_by: '2027-01-15T12:00:00.000Z' };
    expect(converse(catalog, greeted, message(day)).draft.wanted_by).toBe('2027-01-15T12:00:00.000Z');
  });

  test('asked about is answered, and is no wish', () => {
    const ready = say(begin('Brand name: Rise Bakery'), 'just order it');
    const question = say(ready, 'Can I have it by Friday?');
    expect(question.reply).toContain('within 3 days');
    expect(question.draft.wanted_by).toBeNull();
  });
});

describe('what a person hears about files', () => {
  const opened = begin('hello').draft;
  const heard = (text: string, asker: 'human' | 'agent') => converse(catalog, opened, message(text, asker)).reply;

  test('has nothing of ids and routes; a program hears those', () => {
    expect(heard('Which file types can I upload?', 'human')).toContain('paper clip');
    expect(heard('Which file types can I upload?', 'human')).not.toMatch(/file_|\/api\//u);
    expect(heard('Which file types can I upload?', 'agent')).toContain('POST /api/v1/files/presign');
  });

  test('that come back is what the catalog says about the service', () => {
    expect(heard('which file types do I get?', 'human')).toContain('single-colour and small-size versions');
  });
});

test.each(['Weiß ich nicht', 'Peu importe', 'ni idea'])('%j leaves the field to the studio', (text) => {
  expect(openIn(design, say(begin('hello'), text).draft)).toEqual(['Brand name']);
});

describe('what is only suggested', () => {
  const listed = say(begin('a logo for Hollow Oak Cider'), 'families', 'warm', 'signs', 'none');

  test('is listed at the end, and stays however often something else is asked', () => {
    expect(listed.reply).toContain('• Brand name');
    const later = say(listed, 'hm?', 'What does it cost?', 'hm?');
    expect(openIn(design, later.draft)).toEqual([]);
    expect(answers(say(later, 'accept all'))).toMatchObject({ 'Brand name': 'Hollow Oak Cider' });
  });

  test('keeps its suggestion when the customer leaves it open', () => {
    const left = say(listed, 'leave it open');
    expect([left.draft.question, suggestions(left)]).toEqual([null, { 'Brand name': 'Hollow Oak Cider' }]);
  });
});

/** As it was found, word for word: questions and a day between a pasted paragraph and the answers. */
test('a question, a day and a price between the answers skip and leave nothing', () => {
  const pasted = begin(
    'We are a bakery called Rise. It is for families and commuters. The style should be warm, no wheat ears!',
  );
  const offers = suggestions(pasted);
  expect(Object.keys(offers)).toEqual(['Brand name', 'Target audience', 'Style preferences']);
  const dated = say(pasted, 'which file types do I get?', 'we need it before 11 December');
  const priced = say(
    dated,
    'also a short video would be great, how much?',
    'also a short video would be great, how much?',
  );
  expect(priced.reply).toMatch(/A job has no separate price.*Where will it be used\?/su);
  expect([openIn(design, priced.draft), suggestions(priced)]).toEqual([[], offers]);
  expect(priced.draft).toMatchObject({
    wanted_by: '2026-12-10T12:00:00.000Z',
    question: { requirement: 'Where it will be used' },
  });
  expect(priced.draft.words).toContain('a short video');
  const placed = say(priced, 'shop sign, paper bags, website and insta');
  expect(answers(placed)).toEqual({ 'Where it will be used': 'shop sign, paper bags, website and insta' });
  expect(answers(say(placed, 'no, make it the shop sign only'))).toEqual({
    'Where it will be used': 'the shop sign only',
  });
});
