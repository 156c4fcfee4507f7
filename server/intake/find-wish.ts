import { sentencesOf } from '../lib/sentences.ts';

const months = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2000, month)).toLocaleDateString('en', { month: 'long', timeZone: 'UTC' }).toLowerCase(),
);
const month = `(?<month>${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})\\b\\.?`;
const day = '(?<day>\\d{1,2})(?:st|nd|rd|th)?\\b';
const year = '(?:,? (?<year>\\d{4}))?';
const dates = [`${day} (?:of )?${month}${year}`, `${month} ${day}${year}`, '(?<iso>\\d{4}-\\d{2}-\\d{2})'];

/** "We need it by …", "deadline: …" or nothing but "by …, please". */
const cue =
  '(?:\\b(?:needs?|needed|want|would like|deadline|due|ready|done|finished|delivered|online|live)\\b.{0,40}?|^(?:please )?)';
const link = '(?<link>\\b(?:by|before|until|no later than|on|is)|:) (?:the )?';
const wishes = dates.map((date) => new RegExp(`${cue}${link}${date}`, 'iu'));
const past = /\b(?:was|were|had|since)\b/iu;
const oneDay = 86_400_000;

/** `sentences`: those that say nothing else. */
export type Wish = { at: string; sentences: string[] };

/** The day by which a text wants the delivery, at noon UTC, which is the same day nearly everywhere. */
export function findWish(text: string, now = new Date()): Wish | null {
  const days = sentencesOf(text).flatMap((sentence) => {
    const match = past.test(sentence) ? null : wishes.map((wish) => wish.exec(sentence)).find(Boolean);
    const noon = match ? noonOf(match.groups!, now) : Number.NaN;
    return noon > now.getTime() ? [{ sentence, noon }] : [];
  });
  const last = days.at(-1);
  if (!last) return null;
  const alone = days.map(({ sentence }) => sentence).filter((sentence) => sentence.length <= 60);
  return { at: new Date(last.noon).toISOString(), sentences: alone };
}

/** Without a year, the next such day. Not a number for a day that does not exist. */
function noonOf({ link, iso, month, day, year }: Record<string, string | undefined>, now: Date): number {
  const before = link!.toLowerCase() === 'before' ? oneDay : 0;
  if (iso !== undefined) return Date.parse(`${iso}T12:00:00Z`) - before;
  const at = months.findIndex((name) => name.startsWith(month!.toLowerCase().slice(0, 3)));
  const inYear = (number: number) => {
    const noon = Date.UTC(number, at, Number(day), 12);
    return new Date(noon).getUTCMonth() === at ? noon - before : Number.NaN;
  };
  const next = inYear(now.getUTCFullYear());
  if (year !== undefined) return inYear(Number(year));
  return next < now.getTime() ? inYear(now.getUTCFullYear() + 1) : next;
}
