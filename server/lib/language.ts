import Type from 'typebox';
import { readYaml } from './read-yaml.ts';

const words = readYaml('lib/language.yaml', Type.Object({ english: Type.String(), others: Type.String() }));
const english = new Set(words.english.split(' '));
const others = new Set(words.others.split(' '));

/** Whether a text is in another language than English. In a tie, earlier texts decide. */
export function isForeign(text: string, before: boolean): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const here = words.filter((word) => english.has(word)).length;
  const there = words.filter((word) => others.has(word) && !english.has(word)).length;
  if (here !== there) return there > here;
  return before || (words.length >= 4 && /[^\p{ASCII}\p{P}\p{S}\p{Z}\p{N}]/u.test(text));
}
