import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../server/catalog/load-catalog.ts';
import { conciergeOf } from './concierge.ts';
import { play } from './play.ts';
import { type Counted, type Score, scoreOf } from './score.ts';
import { answerIn, containsWords, readStrangers, wordsOf, writings } from './strangers.ts';

const catalog = loadCatalog(join(import.meta.dirname, '../../catalog'));
const unseen = readStrangers('unseen');
const fresh = readStrangers('fresh');

test.each([
  ['unseen', unseen, { en: 14, de: 6 }],
  ['fresh', fresh, { en: 14, de: 6 }],
] as const)('there are twenty %s conversations in English and German over all families', (_, part, { en, de }) => {
  expect(new Set(part.map(({ id }) => id)).size).toBe(en + de);
  expect(part.filter(({ language }) => language === 'en')).toHaveLength(en);
  expect(part.filter(({ language }) => language === 'de')).toHaveLength(de);
  expect(new Set(part.map(({ service }) => service.split('/')[0]))).toEqual(new Set(catalog.families.keys()));
});

test('the unseen conversations order each option of the catalog once', () => {
  const options = [...catalog.families.values()].flatMap((family) =>
    family.options.map(({ id }) => `${family.id}/${id}`),
  );
  expect(unseen.map(({ service }) => service).toSorted()).toEqual(options.toSorted());
});

describe.each([...unseen, ...fresh].map((stranger) => [stranger.id, stranger] as const))('%s', (_, stranger) => {
  const { service, chosen, prose, labelled, when_asked, ends, no_answers, keep } = stranger;

  test('names services and requirements of the catalog', () => {
    for (const named of chosen === null ? [service] : [service, chosen]) {
      const [family, type] = named.split('/');
      expect(catalog.families.get(family!)?.options.map(({ id }) => id)).toContain(type);
    }
    const labels = catalog.families.get(service.split('/')[0]!)!.intake_requirements.map(({ label }) => label);
    for (const facts of [prose, labelled, ends]) expect(labels).toEqual(expect.arrayContaining(Object.keys(facts)));
    expect([...labels, 'service']).toEqual(expect.arrayContaining(Object.keys(when_asked)));
  });

  test('expects nothing that the customer does not write', () => {
    const standsIn = (texts: string[], words: string) =>
      texts.some((text) => text.replace(/\s+/g, ' ').includes(words.replace(/\s+/g, ' ')));
    for (const fact of Object.values(prose).flat())
      expect(stranger.messages).toSatisfy((texts) => standsIn(texts, fact));
    for (const words of [...Object.values(ends), ...no_answers, ...keep])
      if (words !== null) expect(writings(stranger)).toSatisfy((texts) => standsIn(texts, words));
  });

  test('has each labelled value behind its label', () => {
    for (const value of Object.values(labelled))
      expect(stranger.messages.some((text) => containsWords(text, value))).toBe(true);
  });

  test('expects no answer that holds a non-answer', () => {
    const replies = Object.entries(when_asked)
      .filter(([label]) => !(label in ends))
      .map(([, said]) => answerIn(stranger, said.at(-1)!));
    const answers = [...Object.values(prose).flat(), ...Object.values(labelled), ...Object.values(ends), ...replies];
    for (const no of [...no_answers, stranger.otherwise].filter((text) => wordsOf(text).trim() !== ''))
      expect(answers.filter((answer) => answer !== null && containsWords(answer, no))).toEqual([]);
  });
});

describe('the gates of the intake', () => {
  const concierge = conciergeOf(catalog);
  const scores = [...unseen, ...fresh].map((stranger) => ({
    stranger,
    score: scoreOf(stranger, play(concierge, stranger)),
  }));
  const total = (count: (score: Score) => number) => scores.reduce((sum, { score }) => sum + count(score), 0);
  const share = (of: (score: Score) => Counted) =>
    total((score) => of(score).items.length) / total((score) => of(score).of);

  test('of what is suggested, at least 0.95 is right', () => {
    expect(share(({ suggested }) => suggested)).toBeGreaterThanOrEqual(0.95);
  });

  test('no field that the customer never touched holds a wrong value', () => {
    expect(scores.filter(({ score }) => score.untouched.length > 0).map(({ stranger }) => stranger.id)).toEqual([]);
  });

  test('at least 0.95 of the labelled answers are right to the character, and none is asked for again', () => {
    expect(share(({ labelled }) => labelled)).toBeGreaterThanOrEqual(0.95);
    expect(total(({ askedAgain }) => askedAgain.items.length)).toBe(0);
  });

  test('no message without an answer is taken for one', () => {
    expect(total(({ nonAnswers }) => nonAnswers.items.length)).toBe(0);
  });

  test('what a suggestion was read from stands literally in the words of the customer', () => {
    const loose = unseen.flatMap((stranger) =>
      play(concierge, stranger).flatMap(({ turn: { spans, words } }) => spans.filter((span) => !words.includes(span))),
    );
    expect(loose).toEqual([]);
  });

  test('a day that the customer names is the wish', () => {
    expect(share(({ wish }) => wish)).toBe(1);
  });

  test('all words to keep stand in the brief', () => {
    expect(share(({ keptWords }) => keptWords)).toBe(1);
  });
});
