import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadCatalog } from '../../server/catalog/load-catalog.ts';
import { findAnswers } from '../../server/requirements/find-answers.ts';
import { patternsFor } from '../../server/requirements/patterns.ts';
import {
  corpusOf,
  type Draft,
  type Part,
  parts,
  precision,
  recall,
  scoreDrafts,
  scoreLabelled,
  sum,
} from './corpus.ts';

const root = join(import.meta.dirname, '../..');
const catalog = loadCatalog(join(root, 'catalog'));
const corpora = new Map(parts.map((part) => [part, corpusOf(catalog, part)]));
const partOf = (part: Part) => corpora.get(part)!;
const all = [...corpora.values()].flat();

test('what is expected names requirements of the catalog, and no text stands there twice', () => {
  for (const [{ intake_requirements }, { drafts }] of all) {
    const labels = intake_requirements.map(({ label }) => label);
    for (const { missing } of drafts) expect(labels).toEqual(expect.arrayContaining(missing));
  }
  const texts = all.flatMap(([, { drafts }]) => drafts.map(({ text }) => text));
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.length).toBeGreaterThan(230);
});

describe('of what a person finds answered, in texts that no pattern was written for', () => {
  const heldOut = partOf('held-out');

  test('drafts: at least 0.97 of what is found is right, and at least 0.6 is found', () => {
    const score = sum(heldOut.map(([family, entries]) => scoreDrafts(family, entries)));
    expect(precision(score)).toBeGreaterThanOrEqual(0.97);
    expect(recall(score)).toBeGreaterThanOrEqual(0.6);
  });

  test('drafts: each answer behind its label is found', () => {
    const score = sum(heldOut.map(([family, entries]) => scoreLabelled(family, entries)));
    expect(score.right).toBeGreaterThan(80);
    expect(recall(score)).toBe(1);
  });

  test.each(['free', 'blind'] as const)('drafts that name nothing, %s: what is found is right', (part) => {
    const score = sum(partOf(part).map(([family, entries]) => scoreDrafts(family, entries)));
    expect(precision(score)).toBeGreaterThanOrEqual(0.97);
    expect(recall(score)).toBeGreaterThanOrEqual(0.3);
  });
});

describe('each pattern earns its place', () => {
  const folder = join(root, 'server/requirements/patterns');
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const tuned = new Map(partOf('tuned').map(([family, { drafts }]) => [family.id, drafts]));

  const foundIn = (drafts: Draft[], familyId: string, label: string) =>
    drafts.filter(
      ({ text, missing }) =>
        !missing.includes(label) &&
        findAnswers(catalog.families.get(familyId)!, text).some(({ requirement }) => requirement === label),
    ).length;

  test.each(files)('%s: at most four a requirement of the catalog, none over 120 characters', (file) => {
    const sources: Record<string, string[]> = parse(readFileSync(join(folder, file), 'utf8'));
    const family = catalog.families.get(file.replace('.yaml', ''))!;
    const labels = family.intake_requirements.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(Object.keys(sources)));
    for (const patterns of Object.values(sources)) expect(patterns.length).toBeLessThanOrEqual(4);
    expect(
      Object.values(sources)
        .flat()
        .filter((pattern) => pattern.length > 120),
    ).toEqual([]);
  });

  test.each(files)('%s: without any of them an answer of the tuned drafts is overlooked', (file) => {
    const family = catalog.families.get(file.replace('.yaml', ''))!;
    const drafts = tuned.get(family.id)!;
    const needless = [...patternsFor(family)].flatMap(([label, patterns]) => {
      const found = foundIn(drafts, family.id, label);
      return [...patterns].filter((pattern, i) => {
        patterns.splice(i, 1);
        const without = foundIn(drafts, family.id, label);
        patterns.splice(i, 0, pattern);
        return without === found;
      });
    });
    expect(needless).toEqual([]);
  });
});
