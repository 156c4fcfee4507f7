/** Text as patterns see it: single spaces, lines without white space around them, `\n` between them. */
export const prose = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n');

const REACH = 120;
const ends = ['. ', '! ', '? ', '; ', '\n'];

/** The sentence around a match, at most 120 characters to either side so that many matches stay cheap. */
function sentenceAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - REACH), start);
  const from = Math.max(...ends.map((mark) => before.lastIndexOf(mark) + (before.includes(mark) ? mark.length : 0)));
  const after = text.slice(end, end + REACH);
  const stop = after.search(/[.!?;](?:\s|$)|\n/u);
  return `${before.slice(from)}${text.slice(start, end)}${stop < 0 ? after : after.slice(0, stop + 1)}`.trim();
}

/** The first sentence that holds a match and passes `counts`. */
export function findSentence(text: string, pattern: RegExp, counts: (sentence: string) => boolean): string | null {
  for (const match of text.matchAll(pattern)) {
    const sentence = sentenceAround(text, match.index, match.index + match[0].length);
    if (counts(sentence)) return sentence;
  }
  return null;
}
