import { sentencesOf } from '../lib/sentences.ts';
import type { Draft } from './draft.ts';

const months = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2000, month)).toLocaleDateString('en', { month: 'long', timeZone: 'UTC' }).toLowerCase(),
);
const month = `(?<month>${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})\\b\\.?`;
const day = '(?<day>\\d{1,2})(?:st|nd|rd|th)?\\b';
const year = '(?:,? (?<year>\\d{4}))?';
const iso = '(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})';
const dates = [`${day} (?:of )?${month}${year}`, `${month} ${day}${year}`, iso];

/** "We need it by …", "deadline: …" or nothing but "by …, please". */
const cue =
  '(?:\\b(?:needs?|needed|want|would like|deadline|due|ready|done|finished|delivered|online|live)\\b.{0,40}?|^(?:please )?)';
const weekday = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?(?:the )?';
const link = `(?<link>\\b(?:by|before|until|no later than)|:) (?:the )?${weekday}`;
/** "On" and "is" tell of other days, too. */
const due = `\\b(?:deadline|due(?! to)|ready|online|delivered)\\b.{0,40}?\\b(?:on|is) (?:the )?${weekday}`;
/** "… before 11 December, please" */
const courtesy = ',? (?:please|pls|thanks|thank you)\\b';
const wishes = [
  ...dates.map((date) => new RegExp(`(?:${cue}${link}|${due})${date}`, 'iu')),
  ...dates.map((date) => new RegExp(`${link}${date}${courtesy}`, 'iu')),
];
const past = /\b(?:was|were|had|since)\b/iu;
const oneDay = 86_400_000;

/** `at`: the last of the `days`. `sentences`: those that say nothing else. */
type Wish = { at: string; days: string[]; sentences: string[] };

/** The day by which a text wants the delivery, at noon UTC, which is the same day nearly everywhere. */
export function findWish(text: string, now = new Date()): Wish | null {
  const days = sentencesOf(text).flatMap((sentence) => {
    const match = past.test(sentence) ? null : wishes.map((wish) => wish.exec(sentence)).find(Boolean);
    const noon = match ? noonOf(match.groups!, now) : Number.NaN;
    return noon > now.getTime() ? [{ sentence, at: new Date(noon).toISOString() }] : [];
  });
  const last = days.at(-1);
  if (!last) return null;
  const alone = days.map(({ sentence }) => sentence).filter((sentence) => sentence.length <= 60);
  return { at: last.at, days: days.map(({ at }) => at), sentences: alone };
}

/** A day to come that the customer's words do not name was chosen, and stays. */
export function withWish(draft: Draft, wish: Wish | null, now = new Date()): Draft {
  const { words, wanted_by: day } = draft;
  const isChosen = day !== null && day > now.toISOString() && !findWish(words, now)?.days.includes(day);
  return wish && !isChosen ? { ...draft, wanted_by: wish.at } : draft;
}

/** Without a year, the next such day, or today. Not a number for a day that does not exist. */
function noonOf({ link, month, day, year }: Record<string, string | undefined>, now: Date): number {
  const before = link?.toLowerCase() === 'before' ? oneDay : 0;
  const name = month!.toLowerCase().slice(0, 3);
  const at = months.findIndex((other, i) => other.startsWith(name) || i + 1 === Number(month));
  const inYear = (number: number) => {
    const noon = Date.UTC(number, at, Number(day), 12);
    return new Date(noon).getUTCMonth() === at ? noon - before : Number.NaN;
  };
  const next = inYear(now.getUTCFullYear());
  if (year !== undefined) return inYear(Number(year));
  return next < now.getTime() - oneDay ? inYear(now.getUTCFullYear() + 1) : next;
}
