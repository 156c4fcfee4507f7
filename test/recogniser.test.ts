import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../server/catalog/load-catalog.ts';
import { corpusOf, hold, parts, precision, recall, scoreConversations, scoreDrafts } from './corpus.ts';

const catalog = loadCatalog(join(import.meta.dirname, '../catalog'));
const corpora = parts.map((part) => ({ part, families: corpusOf(catalog, part) }));
const all = corpora.flatMap(({ families }) => families);

test('the corpus has 200 drafts and 40 conversations over all families, a third of them held out', () => {
  const count = (families: typeof all) => [
    families.flatMap(([, { drafts }]) => drafts).length,
    families.flatMap(([, { conversations }]) => conversations).length,
  ];
  expect(new Set(all.map(([{ id }]) => id))).toEqual(new Set(catalog.families.keys()));
  expect(count(all)).toEqual([200, 40]);
  expect(count([...corpora[1]!.families, ...corpora[2]!.families])).toEqual([75, 15]);
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

describe.each(corpora.slice(0, 2))('of what a person finds answered, in the part that is $part', ({ families }) => {
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

test('of drafts in free prose little is claimed wrongly, and not much less than half is found', () => {
  const scores = corpora[2]!.families.map(([family, entries]) => scoreDrafts(family, entries));
  const sum = (of: (score: (typeof scores)[number]) => number) => scores.reduce((total, score) => total + of(score), 0);
  const [right, wrong, overlooked] = [sum((one) => one.right), sum((one) => one.wrong), sum((one) => one.overlooked)];
  expect(right / (right + wrong)).toBeGreaterThanOrEqual(0.95);
  expect(right / (right + overlooked)).toBeGreaterThanOrEqual(0.4);
});
