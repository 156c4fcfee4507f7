import { boundOfDay, isUtc } from '../../../ui/time/day.ts';

const minute = 60_000;

/** The last minute of a day (`2026-12-04`), in the displayed zone. Empty if it is not a day. */
export function endOfDay(day: string): string {
  const next = boundOfDay(day, 1);
  return next === undefined ? '' : new Date(Date.parse(next) - minute).toISOString();
}

/** The day of a moment, as a date field takes it. */
export function dayOf(moment: string): string {
  if (moment === '') return '';
  if (isUtc()) return moment.slice(0, 10);
  const date = new Date(moment);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
