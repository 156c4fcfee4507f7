import type { Family } from '../catalog/catalog.ts';
import { small } from '../requirements/prose.ts';
import { withoutLead } from './phrases.ts';

/** Labels of requirements and their other names, longest first, as one alternation. */
const namesOf = (family: Family): [name: string, label: string][] =>
  family.intake_requirements
    .flatMap(({ label, also_called }) => [label, ...also_called].map((name): [string, string] => [small(name), label]))
    .toSorted(([a], [b]) => b.length - a.length);

const verb =
  "(?:is|are|was|were|will be|should be|must be|would be|has to be|have to be|needs to be|need to be|can be|shall be|isn't|aren't)";
const article = '(?:the |our |my |its |their |your )?';

type Grammar = { labels: Map<string, string>; statement: RegExp; change: RegExp; clause: RegExp };
const grammars = new WeakMap<Family, Grammar>();

/** How customers speak about the requirements of a family. Everything is compared in small letters, place for place. */
function grammarOf(family: Family): Grammar {
  const known = grammars.get(family);
  if (known) return known;
  const names = namesOf(family);
  const any = names.map(([name]) => RegExp.escape(name)).join('|');
  const long = names.flatMap(([name]) => (name.includes(' ') ? [RegExp.escape(name)] : [])).join('|') || '(?!)';
  const made = {
    labels: new Map(names),
    statement: new RegExp(
      `^${article}(?:(${any})(?: ${verb}(?: now| rather| actually| really| to be)?| ?[:=]| -| –) |(${any}) (?=\\d)|(${long}) )(?=.)`,
      'su',
    ),
    change: new RegExp(
      `^(?:please |can you |could you |let's |i want to |i'd like to ){0,2}(?:change|set|switch|update|correct|make) ${article}(${any})(?: (?:to|into|be)|:)? (?=.)`,
      'su',
    ),
    clause: new RegExp(`(?:,|;| and| but)(?: and)? (?=${article}(?:(?:${any}) ${verb} |(?:${long}) ))`, 'gu'),
  };
  grammars.set(family, made);
  return made;
}

/** The labels of a family by all their names, the longest first. */
export const labelsByName = (family: Family): ReadonlyMap<string, string> => grammarOf(family).labels;

/** The sentences of a text, and within them the clauses that begin with a requirement: "the tone is warm and the length is …". */
export function sentencesOf(family: Family, text: string): string[] {
  const { clause } = grammarOf(family);
  return text
    .split(/(?<=[.!?;])\s+|\n+/u)
    .flatMap((sentence) => {
      const parts = [];
      let from = 0;
      for (const { 0: cut, index } of small(sentence).matchAll(clause)) {
        const part = sentence.slice(from, index);
        if (withoutLead(`${part},`).core === '') continue; // "Actually, the tone is warm" is one clause.
        parts.push(part);
        from = index + cut.length;
      }
      return [...parts, sentence.slice(from)];
    })
    .map((part) => part.trim())
    .filter((part) => /[\p{L}\p{N}\p{So}\p{Sc}]/u.test(part));
}

/** "not families but students" means students. */
const meant = (value: string) =>
  value.replace(/^not [^,]{1,80},? but (?:rather )?/iu, '').replace(/^(?:called|named) /iu, '');

/** What a sentence says about a requirement by its name: "the audience is students", "change the tone to formal". */
export function statementIn(family: Family, sentence: string): { label: string; value: string } | null {
  const { labels, statement, change } = grammarOf(family);
  const lower = small(sentence);
  const changed = change.exec(lower);
  const found = changed ?? statement.exec(lower);
  if (!found) return null;
  const name = changed ? changed[1] : (found[1] ?? found[2] ?? found[3]);
  const value = meant(sentence.slice(found[0].length));
  const label = labels.get(name ?? '');
  return label === undefined || /^not\b/iu.test(value) ? null : { label, value };
}
