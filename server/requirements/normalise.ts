/** `lower` has the same positions; searching it is four times faster than ignoring case. */
export type Normalised = { text: string; lower: string };

export function normalise(original: string): Normalised {
  const text = original
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
    .replace(/ \n ?|\n /g, '\n');
  // "İ" is the only letter with a longer lower-case form.
  return { text, lower: text.replaceAll('İ', 'i').toLowerCase().replaceAll('’', "'") };
}

/** A space also matches a line break. Patterns with a capital letter search the original text. */
export const compilePattern = (source: string): RegExp => new RegExp(source.replaceAll(' ', '\\s'), 'gu');

const REACH = 120;
// A line break before a lower-case letter does not end a sentence.
const sentenceEnd = /[.!?;]\s|\n(?!\p{Ll})/gu;
/** Also where the topic changes: "for families, but colours are open". */
export const clauseEnd =
  /[.!?;]\s|\n(?!\p{Ll})|,? (?=(?:but|though|although|however) )|, (?=(?:can|could|would|what|how|who|which|is|do|does|should) (?:you|that|it|this|we|i|do)\b)/giu;

/** The sentence around a match. At most 120 characters on each side, so that many matches stay cheap. */
function sentenceAround(text: string, start: number, end: number, endings: RegExp): string {
  const from = Math.max(0, start - REACH);
  const before = [...text.slice(from, start + 1).matchAll(endings)].at(-1);
  const after = text.slice(end, end + REACH).search(endings);
  return text
    .slice(before ? from + before.index + before[0].length : from, after < 0 ? end + REACH : end + after + 1)
    .trim();
}

export function findSentence(
  { text, lower }: Normalised,
  pattern: RegExp,
  counts: (sentence: string) => boolean,
  endings = sentenceEnd,
): string | null {
  const read = pattern.source.includes('\\p{Lu}') ? text : lower;
  // `matchAll` copies the expression each time, which costs more than the search.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(read); match; match = pattern.exec(read)) {
    if (match[0] === '') pattern.lastIndex += 1;
    const sentence = sentenceAround(text, match.index, match.index + match[0].length, endings);
    if (counts(sentence)) return sentence;
  }
  return null;
}
