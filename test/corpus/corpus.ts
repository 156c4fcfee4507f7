import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Catalog, Family } from '../../server/catalog/catalog.ts';
import { missingRequirements } from '../../server/requirements/intent.ts';
import { converse, greet } from '../../server/intake/conversation.ts';
import { missingOf } from '../../server/intake/talk.ts';

/**
 * What customers write, with what a person who read it would still miss, over all families. Nobody looks at what the
 * recogniser does with the parts `held-out`, `free` and `blind` in order to improve it. Those who wrote `loose` and `free`
 * write as they speak: they name nothing. `blind` was written by someone who had not seen the patterns.
 */
export const parts = ['tuned', 'loose', 'held-out', 'free', 'blind'] as const;
export type Part = (typeof parts)[number];

type Entries = {
  drafts: { text: string; missing: string[] }[];
  /** The option that is understood, and what is missing after all messages. */
  conversations: { says: string[]; service_type: string; missing: string[] }[];
};

/** The families of the catalog with their part of the corpus. */
export function corpusOf(catalog: Catalog, part: Part): [Family, Entries][] {
  const folder = join(import.meta.dirname, part);
  return readdirSync(folder).map((file) => {
    const family = catalog.families.get(file.replace('.yaml', ''));
    if (!family) throw new Error(`The corpus has a family that the catalog lacks: ${file}`);
    const entries = parse(readFileSync(join(folder, file), 'utf8')) as Partial<Entries>;
    return [family, { drafts: entries.drafts ?? [], conversations: entries.conversations ?? [] }];
  });
}

/** Over all requirements of all entries: said to be answered rightly, wrongly, and answered but overlooked. */
export type Score = { entries: number; right: number; wrong: number; overlooked: number };

const share = (part: number, of: number): number => (of === 0 ? 1 : part / of);
export const precision = ({ right, wrong }: Score): number => share(right, right + wrong);
export const recall = ({ right, overlooked }: Score): number => share(right, right + overlooked);

function score(family: Family, entries: { missing: string[]; said: string[] }[]): Score {
  const all = entries.flatMap(({ missing, said }) =>
    family.intake_requirements.map(({ label }) => ({
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

export const scoreDrafts = (family: Family, { drafts }: Entries): Score =>
  score(
    family,
    drafts.map(({ text, missing }) => ({ missing, said: missingRequirements(family, text) })),
  );

/** Where a whole conversation of the corpus leads. */
export const hold = (catalog: Catalog, family: Family, says: string[]) =>
  says.reduce(
    (turn, message) => converse(catalog, family, turn.talk, { message, files: [], proposal: null }),
    greet(family, null),
  );

export const scoreConversations = (catalog: Catalog, family: Family, { conversations }: Entries): Score =>
  score(
    family,
    conversations.map(({ says, missing }) => ({
      missing,
      said: missingOf(family, hold(catalog, family, says).talk).map(({ label }) => label),
    })),
  );
