import Type from 'typebox';
import { fitsKind } from '../../contract/ordering/fits-kind.ts';
import { type Family, requirementsOf } from '../catalog/catalog.ts';
import { strip } from '../lib/marks.ts';
import { readYaml } from '../lib/read-yaml.ts';
import { clauseEnd, compilePattern, normalise, type Normalised, sentenceAround, spanOf } from '../lib/sentences.ts';
import { isAnswer, isOpen } from './is-answer.ts';
import { findLabelled, namesOf, onceFor } from './labels.ts';

/** `span`: the words of the text that it was read from. */
export type Finding = { requirement: string; answer: string; span: string; by: 'labels' | 'pattern' | 'model' };

const texts = Type.Array(Type.String());
const table = readYaml(
  'requirements/values.yaml',
  Type.Object({
    parts: Type.Record(Type.String(), Type.String()),
    goes_on: texts,
    judgement: Type.String(),
    values: Type.Record(Type.String(), texts),
  }),
);
const goesOn = new RegExp(table.goes_on.join('|'), 'giu');
const judgement = new RegExp(table.judgement, 'iu');
const regionName = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const countries = letters.flatMap((first) =>
  letters.flatMap((second) => regionName.of(first + second)?.toLowerCase() ?? []),
);
const parts: Record<string, string> = {
  ...table.parts,
  country: `(?:${countries.map(RegExp.escape).join('|')}|europe|the (?:eu|us|uk|usa)|england|scotland|wales)`,
};

/** `<clause>` is the value; `{number}` is only a part of it. */
const compileValue = (source: string): RegExp =>
  compilePattern(
    source
      .replace(/(?<!\(\?)<(\w+)>/u, (_, part: string) => `(?<value>${parts[part]})`)
      .replaceAll(/\{([a-z]+)\}/gu, (_, part: string) => parts[part]!),
    'gdu',
  );

const spokenStart = '(?:^|[.!?;:,–\\n] ?|\\b(?:and|but|actually|so) )(?:the |our |its )?';
const spokenLink = '(?:is|are|will be|should be|must be|has to be) (?:called |named )?<clause>';

/** Patterns whose group `value` is an answer to suggest, beginning with "The audience is …". */
export const valuesFor = onceFor(
  ({ intake_requirements: requirements }) =>
    new Map(
      requirements.map((requirement) => {
        const names = namesOf(requirement).map(RegExp.escape).join('|');
        const spoken = `${spokenStart}(?:${names}) ${spokenLink}`;
        return [requirement.label, [spoken, ...(table.values[requirement.label] ?? [])].map(compileValue)];
      }),
    ),
);

/** Answers that a text may hold, at most one per requirement: behind labels, else in prose. */
export function findSuggestions(family: Family, serviceType: string | null, text: string): Finding[] {
  const labelled = findLabels(family, serviceType, text);
  // A requirement that is "to be decided" is not guessed from other text.
  const named = new Set(findLabelled(family, normalise(text)).map(({ label }) => label));
  const prose = findValues(family, serviceType, text).filter(({ requirement }) => !named.has(requirement));
  return [...labelled, ...prose];
}

/** The requirements of the option that a text does not answer; of the family while the option is open. */
export function missingRequirements(family: Family, instructions: string, serviceType: string | null = null): string[] {
  const answers = new Map(
    findSuggestions(family, serviceType, instructions).map(({ requirement, answer }) => [requirement, answer]),
  );
  return requirementsOf(family, serviceType)
    .filter((requirement) => !fitsKind(requirement, answers.get(requirement.label)))
    .map(({ label }) => label);
}

/** The first answer behind the label of each requirement. */
export function findLabels(family: Family, serviceType: string | null, text: string): Finding[] {
  const normalised = normalise(linesOfJson(text) ?? text);
  const labels = new Set(requirementsOf(family, serviceType).map(({ label }) => label));
  return findLabelled(family, normalised)
    .filter(({ label, answer }) => answer !== '' && labels.delete(label))
    .map(({ label, answer, start, end }): Finding => {
      const span = normalised.text.slice(start, end).trim();
      return { requirement: label, answer, span: spanOf(text, span) ?? answer, by: 'labels' };
    });
}

/** `key: value` on lines, from an object in JSON. */
function linesOfJson(text: string): string | null {
  if (!/^\s*\{[^]*\}\s*$/u.test(text)) return null;
  try {
    const fields = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return fields
      .map(([key, value]) => `${key}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
      .join('\n');
  } catch {
    return null;
  }
}

function findValues(family: Family, serviceType: string | null, text: string): Finding[] {
  const joined = normalise(text.replace(/\n[> ]{0,9}(?=\p{Ll})/gu, ' '));
  return requirementsOf(family, serviceType).flatMap(({ label, kind }): Finding[] => {
    for (const pattern of valuesFor(family).get(label) ?? []) {
      const value = valueOf(joined, pattern);
      const span = value === null ? null : spanOf(text, value);
      if (span !== null && (kind !== 'name' || span.length <= 60))
        return [{ requirement: label, answer: span.replace(/ {0,9}\n[>\s]{0,99}/gu, ' '), span, by: 'pattern' }];
    }
    return [];
  });
}

/** Marks at the ends do not belong to a value, unless they close what it opens. */
function withoutMarks(value: string): string {
  const begun = value.replace(/^[\s"“'‘]{1,9}/u, '');
  const plain = begun.replace(/[\s,:;.!]{1,9}$/u, '');
  return /["“„«(][^"“”„«»()]{1,60}["”»)]$/u.test(plain) ? plain : plain.replace(/[\s"”'’,:;.]{1,9}$/u, '');
}

/** The first usable value. */
function valueOf({ text, lower }: Normalised, pattern: RegExp): string | null {
  for (const match of (pattern.source.includes('\\p{Lu}') ? text : lower).matchAll(pattern)) {
    const value = text.slice(...match.indices!.groups!['value']!);
    goesOn.lastIndex = 5;
    const stop = goesOn.exec(value)?.index ?? value.length;
    const cut = withoutMarks(value.slice(0, stop));
    const sentence = sentenceAround(text, match.index, match.index + match[0].length, clauseEnd);
    if (cut.length >= 2 && isAnswer(strip(cut)) && !judgement.test(cut) && !isOpen(sentence)) return cut;
  }
  return null;
}
