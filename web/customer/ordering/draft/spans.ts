import type { Stored } from './edits.ts';

/** Where the words say what a field holds. */
export type Span = { start: number; end: number; requirement: string; accepted: boolean };

/** From the text, of suggestions and of answers that were accepted; in order, and none over another. */
export function spansIn(words: string, { answers, suggestions }: Pick<Stored, 'answers' | 'suggestions'>): Span[] {
  const sources = [
    ...suggestions.map(({ requirement, span }) => ({ requirement, text: span, accepted: false })),
    ...answers
      .filter(({ source }) => source === 'accepted')
      .map(({ requirement, answer }) => ({ requirement, text: answer, accepted: true })),
  ];
  const spans = sources.flatMap(({ text, ...source }): Span[] => {
    const place = placeOf(words, text);
    return place ? [{ ...source, ...place }] : [];
  });
  return inOrder(spans);
}

export const inOrder = (spans: Span[]): Span[] =>
  spans
    .toSorted((span, other) => span.start - other.start)
    .filter(({ start }, index, sorted) => sorted.slice(0, index).every(({ end }) => end <= start));

/** Where the words name the day of a wish; as a day of its own, not of a longer number. */
export function wishSpan(words: string, wish: string): Omit<Span, 'requirement' | 'accepted'> | null {
  const days = [0, 1].map((after) => new Date(Date.parse(wish) + after * 86_400_000));
  const names = days.flatMap((date) => {
    const month = date.toLocaleDateString('en', { month: 'long', timeZone: 'UTC' });
    const day = `0?${date.getUTCDate()}(?:st|nd|rd|th)?`;
    const named = `(?:${month}|${month.slice(0, 3)})\\b\\.?`;
    return [`${day} (?:of )?${named}`, `${named} ${day}\\b`, date.toISOString().slice(0, 10)];
  });
  const weekday = '(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?,? )?';
  const lead = `(?:\\b(?:by|before|until|on|no later than) )?(?:the )?${weekday}`;
  const match = new RegExp(`${lead}(?<![\\d.,])(?:${names.join('|')})`, 'iu').exec(words);
  return match && { start: match.index, end: match.index + match[0].length };
}

/** Whatever white space and quoting marks stand between the words of the text. */
function placeOf(words: string, text: string): { start: number; end: number } | null {
  const sought = text.replace(/[\s>]+/gu, '');
  const at = [...words.matchAll(/[^\s>]/gu)].map(({ index }) => index);
  const squeezed = words.replace(/[\s>]+/gu, '');
  const first = sought === '' ? -1 : squeezed.indexOf(sought);
  if (first < 0) return null;
  const count = (part: string) => [...part].length;
  const start = at[count(squeezed.slice(0, first))] ?? 0;
  const last = at[count(squeezed.slice(0, first + sought.length)) - 1] ?? start;
  const sign = words.codePointAt(last) ?? 0;
  return { start, end: last + (sign > 0xffff ? 2 : 1) };
}

/** The words cut at the spans. */
export function piecesOf(words: string, spans: Span[]) {
  const pieces: { text: string; span: Span | null }[] = [];
  let from = 0;
  for (const span of spans) {
    pieces.push({ text: words.slice(from, span.start), span: null }, { text: words.slice(span.start, span.end), span });
    from = span.end;
  }
  return [...pieces, { text: words.slice(from), span: null }].filter(({ text }) => text !== '');
}
