import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Catalog, Family } from '../server/catalog/catalog.ts';
import { missingRequirements } from '../server/catalog/intent.ts';

/** What customers write, and what a person who reads it still misses. `held-out` is never looked at when the recogniser is improved. */
export type Part = 'tuned' | 'held-out';
export const parts: Part[] = ['tuned', 'held-out'];
export type Draft = { text: string; missing: string[] };
export type Conversation = { says: string[]; service_type: string; missing: string[] };

type Entries = { drafts: Draft[]; conversations: Conversation[] };

export function readCorpus(part: Part): Map<string, Entries> {
  const folder = join(import.meta.dirname, 'corpus', part);
  const read = (file: string) => parse(readFileSync(join(folder, file), 'utf8')) as Entries;
  return new Map(readdirSync(folder).map((file) => [file.replace('.yaml', ''), read(file)]));
}

/** `found`: requirements said to be answered, rightly or `wrong`ly; `overlooked`: answered, but not found. */
export type Score = { entries: number; found: number; wrong: number; overlooked: number };

export const precision = ({ found, wrong }: Score): number => (found === 0 ? 1 : (found - wrong) / found);
export const recall = ({ found, wrong, overlooked }: Score): number =>
  found - wrong + overlooked === 0 ? 1 : (found - wrong) / (found - wrong + overlooked);

export function score(family: Family, entries: { expected: string[]; said: string[] }[]): Score {
  const total: Score = { entries: entries.length, found: 0, wrong: 0, overlooked: 0 };
  for (const { expected, said } of entries)
    for (const { label } of family.intake_requirements) {
      const answered = !expected.includes(label);
      if (!said.includes(label)) total.found += 1;
      if (!said.includes(label) && !answered) total.wrong += 1;
      if (said.includes(label) && answered) total.overlooked += 1;
    }
  return total;
}

export const scoreDrafts = (family: Family, drafts: Draft[]): Score =>
  score(
    family,
    drafts.map(({ text, missing }) => ({ expected: missing, said: missingRequirements(family, text) })),
  );

/** The families of the catalog with their part of the corpus, in the catalog's order. */
export const corpusOf = (catalog: Catalog, part: Part): [Family, Entries][] => {
  const corpus = readCorpus(part);
  return [...catalog.families.values()].map((family) => [family, corpus.get(family.id)!]);
};
