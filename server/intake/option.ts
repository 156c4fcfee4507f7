import type { Family, Option } from '../catalog/catalog.ts';
import { small } from '../requirements/prose.ts';

const empty = new Set(
  'and the for with from your you each one into that this which two their name them what how ones'.split(' '),
);

/** Close enough to compare words of any form: "labelling", "labels" and "labelled" are "label". */
const stem = (word: string): string => {
  const short = word.replace(/(?:ations?|ating|ated|ates?|ions?|ings?|ed|ers?|es|s|e)$/u, '');
  return (short.length >= 3 ? short : word).replace(/([lnpt])\1$/u, '$1');
};

/** Words in small letters; what a hyphen joins is one. */
const wordsOf = (text: string): string[] =>
  small(text)
    .replace(/(?<=\p{L})[-’'](?=\p{L})/gu, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const tokens = (text: string, besides: Set<string>): string[] =>
  wordsOf(text.replaceAll('_', ' ')).flatMap((word) =>
    word.length < 3 || empty.has(word) || besides.has(stem(word)) ? [] : [stem(word)],
  );

/** One letter more, less, other or swapped; in short words only swapped. */
function isTypo(a: string, b: string): boolean {
  if (a.length < 4 || Math.abs(a.length - b.length) > 1 || a === b) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i += 1;
  const [restA, restB] = [a.slice(i), b.slice(i)];
  const swapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  if (a.length === 4) return swapped;
  return swapped || [restA, restA.slice(1)].some((rest) => rest === restB.slice(1)) || restA.slice(1) === restB;
}

type Name = { option: Option; names: string[][]; described: Set<string> };
const named = new WeakMap<Family, Name[]>();

function namesOf(family: Family): Name[] {
  const known = named.get(family);
  if (known) return known;
  const besides = new Set(wordsOf(`${family.id.replaceAll('_', ' ')} ${family.name}`).map(stem));
  const made = family.options.map((option) => ({
    option,
    names: [tokens(option.name, besides), tokens(option.id, besides)].filter((name) => name.length > 0),
    described: new Set(tokens(option.description, besides)),
  }));
  named.set(family, made);
  return made;
}

/** How much of a name a text holds: 1 for all of it. */
function share(name: string[], heard: Set<string>): number {
  const joined = (token: string, i: number) =>
    heard.has(token + (name[i + 1] ?? '-')) || heard.has((name[i - 1] ?? '-') + token);
  const found = name.filter(
    (token, i) => heard.has(token) || joined(token, i) || [...heard].some((word) => isTypo(token, word)),
  );
  return found.length / name.length;
}

/** The one with the highest score, if it is alone there. */
function best<T>(all: T[], score: (one: T) => number, least: number): T | null {
  const [first, second] = all.map((one) => ({ one, score: score(one) })).toSorted((a, b) => b.score - a.score);
  return first && first.score >= least && first.score > (second?.score ?? 0) ? first.one : null;
}

/** The words of a text, as they compare. What is not wanted does not count: "not a logo". */
function heardIn(text: string): { heard: Set<string>; count: number } {
  const said = text.replace(/\b(?:not|instead of|rather than) (?:an? |the )?[\p{L}-]+(?: [\p{L}-]+)?/giu, ' ');
  // Hyphens both ways: "e-mail" is "email", "landing-page" is "landing page".
  const words = [said, said.replaceAll('-', ' ')].flatMap(wordsOf);
  const heard = new Set(words.flatMap((word, i) => [stem(word), stem(word + (words[i + 1] ?? ''))]));
  return { heard, count: words.length / 2 };
}

/** The option that a text names, or comes close to naming. Null where none, or more than one, is meant. */
export function optionNamed(family: Family, text: string, least = 0.5): Option | null {
  const { heard } = heardIn(text);
  return (
    best(namesOf(family), ({ names }) => Math.max(0, ...names.map((name) => share(name, heard))), least)?.option ?? null
  );
}

/** The option that a text asks for: by its name, failing that by words that only its description has. */
export function optionIn(family: Family, text: string): Option | null {
  const { heard, count } = heardIn(text);
  const all = namesOf(family);
  const own = (one: Name) =>
    [...one.described].filter((token) => all.every((other) => other === one || !other.described.has(token)));
  const byWords = () => best(all, (one) => own(one).filter((token) => heard.has(token)).length, count > 8 ? 2 : 1);
  return optionNamed(family, text) ?? byWords()?.option ?? null;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/** The reply to a list of options: also "2" or "the second one". */
export function optionChosen(family: Family, text: string): Option | null {
  const said = small(text.trim());
  const number = /^(?:option |number |no\.? ?|#)?(\d{1,2})[.)]?$/u.exec(said)?.[1];
  const ordinal = ordinals.findIndex((word) => new RegExp(`^(?:the )?${word}(?: one| option)?[.!]?$`, 'u').test(said));
  return family.options[number ? Number(number) - 1 : ordinal] ?? optionIn(family, text);
}
