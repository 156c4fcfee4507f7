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
export const compilePattern = (source: string, flags = 'gu'): RegExp =>
  new RegExp(source.replaceAll(' ', '\\s'), flags);

const REACH = 120;
// A line break before a lower-case letter does not end a sentence.
const sentenceEnd = /[.!?;]\s|\n(?!\p{Ll})/gu;
/** Also where the topic changes: "for families, but colours are open". */
export const clauseEnd =
  /[.!?;]\s|\n(?!\p{Ll})|,? (?=(?:but|though|although|however) )|, (?=(?:can|could|would|what|how|who|which|is|do|does|should) (?:you|that|it|this|we|i|do)\b)/giu;

/** The sentence around a match. At most 120 characters on each side, so that many matches stay cheap. */
export function sentenceAround(text: string, start: number, end: number, endings: RegExp): string {
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

/** A line is a sentence, too, and "3. You decide" is one. */
export const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?…]["”'’)]?)(?<!(?:^|\n)\s{0,9}\d{1,2}\.)\s+|\n+/u).filter((part) => part.trim() !== '');

export const isQuestion = (text: string): boolean => /\?["”'’)!?\s]{0,5}$/u.test(text);

/** The text without some of its sentences. */
export const withoutSentences = (text: string, sentences: string[]): string =>
  sentences.reduce((rest, sentence) => rest.replace(sentence, ''), text).trim();

/** The sentences with "?", and everything else as it was written. */
export function splitQuestions(text: string): { questions: string[]; rest: string } {
  const questions = sentencesOf(text).filter(isQuestion);
  return { questions, rest: withoutSentences(text, questions) };
}

/** The same words in the original text, whatever white space and quoting marks stand between them. */
export function spanOf(original: string, words: string): string | null {
  const at = [...original.matchAll(/[^\s>]/gu)].map(({ index }) => index);
  const squeeze = (text: string) => text.replace(/[\s>]+/gu, '');
  const squeezed = squeeze(original);
  const start = squeezed.indexOf(squeeze(words));
  if (start < 0 || words === '') return null;
  // Positions are those of UTF-16 units, of which a character may have two.
  const first = Array.from(squeezed.slice(0, start)).length;
  const last = first + Array.from(squeeze(words)).length - 1;
  return original.slice(at[first], at[last]! + [...squeezed][last]!.length);
}
