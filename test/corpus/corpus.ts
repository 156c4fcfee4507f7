import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Catalog, Family } from '../../server/catalog/catalog.ts';
import { findLabelled } from '../../server/requirements/labels.ts';
import { missingRequirements } from '../../server/requirements/find-answers.ts';
import { normalise } from '../../server/lib/sentences.ts';

/**
 * What customers write, with what a person who read it would still miss, over all families. Patterns are written for
 * `tuned` and for nothing else; nobody looks at the other parts in order to improve them. `free` and `blind` are by people
 * who write as they speak and name nothing; `blind` by one who had not seen the patterns.
 */
export const parts = ['tuned', 'held-out', 'free', 'blind'] as const;
export type Part = (typeof parts)[number];

export type Draft = { text: string; missing: string[] };
type Entries = { drafts: Draft[] };

/** The families of the catalog with their part of the corpus. */
export function corpusOf(catalog: Catalog, part: Part): [Family, Entries][] {
  const folder = join(import.meta.dirname, part);
  return readdirSync(folder).map((file) => {
    const family = catalog.families.get(file.replace('.yaml', ''));
    if (!family) throw new Error(`The corpus has a family that the catalog lacks: ${file}`);
    const entries = parse(readFileSync(join(folder, file), 'utf8')) as Partial<Entries>;
    return [family, { drafts: entries.drafts ?? [] }];
  });
}

/** Over all requirements of all entries. */
export type Score = { entries: number; right: number; wrong: number; overlooked: number };

const share = (part: number, of: number): number => (of === 0 ? 1 : part / of);
export const precision = ({ right, wrong }: Score): number => share(right, right + wrong);
export const recall = ({ right, overlooked }: Score): number => share(right, right + overlooked);

export const sum = (scores: Score[]): Score =>
  scores.reduce(
    (total, score) => ({
      entries: total.entries + score.entries,
      right: total.right + score.right,
      wrong: total.wrong + score.wrong,
      overlooked: total.overlooked + score.overlooked,
    }),
    { entries: 0, right: 0, wrong: 0, overlooked: 0 },
  );

/** `among`: the requirements of an entry that are counted. */
function score(family: Family, entries: { missing: string[]; said: string[]; among?: string[] }[]): Score {
  const all = entries.flatMap(({ missing, said, among }) =>
    family.intake_requirements
      .filter(({ label }) => among?.includes(label) ?? true)
      .map(({ label }) => ({
        answered: !missing.includes(label),
        found: !said.includes(label),
      })),
  );
  return {
    entries: entries.length,
    right: all.filter(({ answered, found }) => answered && found).length,
    wrong: all.filter(({ answered, found }) => !answered && found).length,
    overlooked: all.filter(({ answered, found }) => answered && !found).length,
  };
}

export const scoreDrafts = (family: Family, { drafts }: Pick<Entries, 'drafts'>): Score =>
  score(
    family,
    drafts.map(({ text, missing }) => ({ missing, said: missingRequirements(family, text) })),
  );

/** Of the answers that stand behind their label. */
export const scoreLabelled = (family: Family, { drafts }: Pick<Entries, 'drafts'>): Score =>
  score(
    family,
    drafts.map(({ text, missing }) => ({
      missing,
      said: missingRequirements(family, text),
      among: findLabelled(family, normalise(text)).map(({ label }) => label),
    })),
  );
