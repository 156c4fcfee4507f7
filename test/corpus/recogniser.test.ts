import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../server/catalog/load-catalog.ts';
import { corpusOf, hold, type Part, parts, precision, recall, scoreConversations, scoreDrafts } from './corpus.ts';

const catalog = loadCatalog(join(import.meta.dirname, '../../catalog'));
const corpora = parts.map((part) => ({ part, families: corpusOf(catalog, part) }));
const all = corpora.flatMap(({ families }) => families);
const partOf = (name: Part) => corpora.find(({ part }) => part === name)!.families;

test('the corpus has 435 drafts and 40 conversations over all families; 115 and 15 of them are held out', () => {
  const count = (families: typeof all) => [
    families.flatMap(([, { drafts }]) => drafts).length,
    families.flatMap(([, { conversations }]) => conversations).length,
  ];
  expect(new Set(all.map(([{ id }]) => id))).toEqual(new Set(catalog.families.keys()));
  expect(count(all)).toEqual([435, 40]);
  expect(count([...partOf('held-out'), ...partOf('free'), ...partOf('blind')])).toEqual([115, 15]);
});

test('what is expected names requirements and options of the catalog, and no text stands there twice', () => {
  for (const [{ intake_requirements, options }, { drafts, conversations }] of all) {
    const labels = intake_requirements.map(({ label }) => label);
    for (const { missing } of [...drafts, ...conversations]) expect(labels).toEqual(expect.arrayContaining(missing));
    for (const { service_type } of conversations) expect(options.map(({ id }) => id)).toContain(service_type);
  }
  const texts = all.flatMap(([, { drafts, conversations }]) => [
    ...drafts.map(({ text }) => text),
    ...conversations.map(({ says }) => says.join('\n')),
  ]);
  expect(new Set(texts).size).toBe(texts.length);
});

const named = corpora.filter(({ part }) => part === 'tuned' || part === 'held-out');
describe.each(named)('of what a person finds answered, in the part that is $part', ({ families }) => {
  test.each(families.map(([family, entries]) => [family.id, family, entries] as const))(
    '%s: at least 0.9 is found, and at least 0.9 of what is found is right',
    (_, family, entries) => {
      for (const score of [scoreDrafts(family, entries), scoreConversations(catalog, family, entries)]) {
        expect(precision(score)).toBeGreaterThanOrEqual(0.9);
        expect(recall(score)).toBeGreaterThanOrEqual(0.9);
      }
    },
  );

  test('nine options in ten are understood', () => {
    const right = families.flatMap(([family, { conversations }]) =>
      conversations.map(({ says, service_type }) => hold(catalog, family, says).talk.service_type === service_type),
    );
    expect(right.filter(Boolean).length / right.length).toBeGreaterThanOrEqual(0.9);
  });
});

const scoresOf = (part: Part) =>
  partOf(part).map(([family, entries]) => ({ id: family.id, score: scoreDrafts(family, entries) }));

function expectOverAll(scores: ReturnType<typeof scoresOf>, least: { found: number; right: number }) {
  const sum = (of: 'right' | 'wrong' | 'overlooked') => scores.reduce((total, { score }) => total + score[of], 0);
  const score = { entries: 0, right: sum('right'), wrong: sum('wrong'), overlooked: sum('overlooked') };
  expect(recall(score)).toBeGreaterThanOrEqual(least.found);
  expect(precision(score)).toBeGreaterThanOrEqual(least.right);
}

/** Loose prose: at least so much is found, in each family and over all, and at least so much of what is found is right. */
describe.each([
  { part: 'loose', each: { found: 0.84, right: 0.97 }, all: { found: 0.89, right: 0.98 } },
  { part: 'free', each: { found: 0.6, right: 0.92 }, all: { found: 0.77, right: 0.95 } },
] as const)('of drafts that name nothing, in the part that is $part', ({ part, each, all: whole }) => {
  const scores = scoresOf(part);
  test.each(scores.map(({ id, score }) => [id, score] as const))(
    '%s: much is found, and little is wrong',
    (_, score) => {
      expect(recall(score)).toBeGreaterThanOrEqual(each.found);
      expect(precision(score)).toBeGreaterThanOrEqual(each.right);
    },
  );
  test('over all families', () => expectOverAll(scores, whole));
});

test('of drafts by one who had not seen the patterns much is found, and little is wrong, over all families', () =>
  expectOverAll(scoresOf('blind'), { found: 0.77, right: 0.94 }));
