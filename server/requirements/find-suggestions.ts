import { type Family, requirementsOf } from '../catalog/catalog.ts';
import { strip } from '../lib/marks.ts';
import { clauseEnd, normalise, type Normalised, sentenceAround, spanOf } from '../lib/sentences.ts';
import { isAnswer, isOpen } from './is-answer.ts';
import { findLabelled } from './labels.ts';
import { goesOn, judgement, valuesFor } from './patterns.ts';

/** `span`: the words of the text that it was read from. */
export type Finding = { requirement: string; answer: string; span: string; by: 'labels' | 'pattern' | 'model' };

/** Answers that a text may hold, at most one per requirement: behind labels, else in prose. */
export function findSuggestions(family: Family, serviceType: string | null, text: string): Finding[] {
  const labelled = findLabels(family, serviceType, text);
  const named = new Set(findLabelled(family, normalise(text)).map(({ label }) => label));
  const prose = findValues(family, serviceType, text).filter(({ requirement }) => !named.has(requirement));
  return [...labelled, ...prose];
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

/** Values in prose that are worth suggesting. */
export function findValues(family: Family, serviceType: string | null, text: string): Finding[] {
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

/** The first value that says something. */
function valueOf({ text, lower }: Normalised, pattern: RegExp): string | null {
  for (const match of (pattern.source.includes('\\p{Lu}') ? text : lower).matchAll(pattern)) {
    const value = text.slice(...match.indices!.groups!['value']!);
    goesOn.lastIndex = 5;
    const stop = goesOn.exec(value)?.index ?? value.length;
    const cut = value.slice(0, stop).replace(/^[\s"“'‘]{1,9}|[\s"”'’,:;.]{1,9}$/gu, '');
    const sentence = sentenceAround(text, match.index, match.index + match[0].length, clauseEnd);
    if (cut.length >= 2 && isAnswer(strip(cut)) && !judgement.test(cut) && !isOpen(sentence)) return cut;
  }
  return null;
}
