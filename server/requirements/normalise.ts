/**
 * Text as patterns see it: single spaces, lines without white space around them, and a copy in lower case with straight
 * apostrophes, character for character. Searching the copy takes a quarter of the time of case-insensitive patterns.
 */
export type Normalised = { text: string; lower: string };

export function normalise(given: string): Normalised {
  const text = given
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
    .replace(/ \n ?|\n /g, '\n');
  // Of all letters only "İ" has a longer lower-case form.
  return { text, lower: text.replaceAll('İ', 'i').toLowerCase().replaceAll('’', "'") };
}

/** A space of a pattern matches a line break, too. A pattern that asks for a capital letter reads the text as written. */
export const compilePattern = (source: string): RegExp => new RegExp(source.replaceAll(' ', '\\s'), 'gu');

const REACH = 120;
// A line that goes on with a lower-case letter was only wrapped.
const sentenceEnd = /[.!?;]\s|\n(?!\p{Ll})/gu;
/** Also where the thought turns: "for families, but colours are open", "for families, is that all right?" */
export const clauseEnd =
  /[.!?;]\s|\n(?!\p{Ll})|,? (?=(?:but|though|although|however) )|, (?=(?:can|could|would|what|how|who|which|is|do|does|should) (?:you|that|it|this|we|i|do)\b)/giu;

/** The sentence around a match, at most 120 characters to either side so that many matches stay cheap. */
function sentenceAround(text: string, start: number, end: number, endings: RegExp): string {
  const from = Math.max(0, start - REACH);
  const before = [...text.slice(from, start + 1).matchAll(endings)].at(-1);
  const after = text.slice(end, end + REACH).search(endings);
  return text
    .slice(before ? from + before.index + before[0].length : from, after < 0 ? end + REACH : end + after + 1)
    .trim();
}

/** The first sentence that holds a match and passes `counts`. */
export function findSentence(
  { text, lower }: Normalised,
  pattern: RegExp,
  counts: (sentence: string) => boolean,
  endings = sentenceEnd,
): string | null {
  const read = pattern.source.includes('\\p{Lu}') ? text : lower;
  // Not matchAll: it copies the expression each time, which costs more than the search.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(read); match; match = pattern.exec(read)) {
    if (match[0] === '') pattern.lastIndex += 1;
    const sentence = sentenceAround(text, match.index, match.index + match[0].length, endings);
    if (counts(sentence)) return sentence;
  }
  return null;
}
