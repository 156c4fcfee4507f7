import type { Family, Option } from './catalog.ts';
import { strip } from '../lib/marks.ts';

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/(?<=\p{L})[-’'](?=\p{L})/gu, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Compares words in any form: "labels" and "labelling" are the same. */
const isForm = (word: string, ofCatalog: string): boolean =>
  ofCatalog.length < 4 ? word === ofCatalog : word.startsWith(ofCatalog.slice(0, Math.max(5, ofCatalog.length - 4)));

/** The option with the highest score, unless there is a tie. */
function best(family: Family, least: number, score: (option: Option) => number): Option | null {
  const [first, second] = family.options
    .map((option) => ({ option, score: score(option) }))
    .toSorted((a, b) => b.score - a.score);
  return first && first.score >= least && first.score > (second?.score ?? 0) ? first.option : null;
}

/** At least half of an option's name; else the only description that shares words with the text. */
export function optionIn(family: Family, text: string): Option | null {
  const spoken = wordsOf(text.replace(/\b(?:not|instead of|rather than) (?:an? |the )?[\p{L}-]+/giu, ' '));
  const words = [...spoken, ...spoken.map((word, i) => word + (spoken[i + 1] ?? ''))];
  const isSpoken = (ofCatalog: string) => words.some((word) => isForm(word, ofCatalog));
  const besides = new Set(wordsOf(family.name));
  const named = best(family, 0.5, ({ name }) => {
    const nameWords = wordsOf(name).filter((word) => !besides.has(word));
    return nameWords.filter(isSpoken).length / Math.max(nameWords.length, 1);
  });
  const described = family.options.map(({ description }) => new Set(wordsOf(description)));
  const isRare = (word: string) => word.length > 4 && described.filter((words) => words.has(word)).length === 1;
  const rare = ({ description }: Option) =>
    wordsOf(description).filter((word) => isRare(word) && isSpoken(word)).length;
  return named ?? best(family, spoken.length > 8 ? 2 : 1, rare);
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/** Also understands a number or "the second one". */
export function optionChosen(family: Family, text: string): Option | null {
  const said = strip(text).toLowerCase();
  const number = /^(?:option |number |no\.? ?|#)?(\d{1,2})$/u.exec(said)?.[1];
  const ordinal = /^(?:the )?(\w{5,6})(?: one| option)?(?:,? please)?$/u.exec(said)?.[1] ?? '';
  const at = number ? Number(number) - 1 : ordinals.indexOf(ordinal);
  return at < 0 ? optionIn(family, text) : (family.options[at] ?? null);
}

const wants = /\b(?:need|want|order|meant?|change|switch|instead|rather|meine|brauchen?|möchten?)\b/iu;
type Service = { service_family: string; service_type: string | null };

/** Another service of the family that a sentence asks for: "we need the social media set". */
export function serviceNamed({ options, id, name }: Family, text: string, current: string | null): Service | null {
  const besides = new Set(wordsOf(name));
  const services = text.split(/(?<=[.!?;])\s+|\n+/u).flatMap((sentence) => {
    const words = wordsOf(sentence.replace(/\b(?:not|instead of|rather than) (?:an? |the )?[\p{L}_-]+/giu, ' '));
    const names = (parts: string[]) =>
      parts.length > 0 && parts.every((word) => words.some((said) => isForm(said, word)));
    const named = options.filter(
      (option) => option.id !== current && names(wordsOf(option.name).filter((word) => !besides.has(word))),
    );
    return words.length <= 30 && wants.test(sentence) ? named : [];
  });
  const [first] = services;
  return first && services.every((option) => option === first) ? { service_family: id, service_type: first.id } : null;
}
