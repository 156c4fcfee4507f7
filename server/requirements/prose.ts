/**
 * Text as patterns see it: single spaces, lines without white space around them, and a copy in small letters, place for
 * place. Comparing small letters takes a quarter of the time that case-insensitive expressions take.
 */
export type Prose = { text: string; lower: string };

/** Small letters, place for place: of all letters only "İ" has a longer small form. */
export const small = (text: string): string => text.replaceAll('İ', 'i').toLowerCase();

export function prose(given: string): Prose {
  const text = given
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
    .replace(/ \n ?|\n /g, '\n');
  return { text, lower: small(text) };
}

const REACH = 120;
// A line that goes on with a small letter was only wrapped.
const ending = /[.!?;]\s|\n(?!\p{Ll})/gu;
/** Ends also where the thought turns: "for families, but colours are open", "it is for families, is that all right?" */
export const clauseEnding =
  /[.!?;]\s|\n(?!\p{Ll})|,? (?=(?:but|though|although|however) )|, (?=(?:can|could|would|what|how|who|which|is|do|does|should) (?:you|that|it|this|we|i|do)\b)/giu;

/** The sentence around a match, at most 120 characters to either side so that many matches stay cheap. */
function sentenceAround(text: string, start: number, end: number, last: RegExp): string {
  const from = Math.max(0, start - REACH);
  const before = [...text.slice(from, start + 1).matchAll(last)].at(-1);
  const after = text.slice(end, end + REACH).search(last);
  return text
    .slice(before ? from + before.index + before[0].length : from, after < 0 ? end + REACH : end + after + 1)
    .trim();
}

/** What a pattern reads: the text as written where it minds capitals, and so ignores case otherwise. */
const readBy = (pattern: RegExp, { text, lower }: Prose): string => (pattern.ignoreCase ? text : lower);

/** Where the first match is. */
export function placeOf(told: Prose, pattern: RegExp): number | null {
  pattern.lastIndex = 0;
  return pattern.exec(readBy(pattern, told))?.index ?? null;
}

/** The first sentence that holds a match and passes `counts`. */
export function findSentence(
  told: Prose,
  pattern: RegExp,
  counts: (sentence: string) => boolean,
  last = ending,
): string | null {
  const { text } = told;
  const read = readBy(pattern, told);
  // Not matchAll: it makes a new expression each time, which costs more than the search.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(read); match; match = pattern.exec(read)) {
    if (match[0] === '') pattern.lastIndex += 1;
    const sentence = sentenceAround(text, match.index, match.index + match[0].length, last);
    if (counts(sentence)) return sentence;
  }
  return null;
}
