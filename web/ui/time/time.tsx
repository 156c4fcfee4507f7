import { once } from './duration.ts';
import { store } from '../page/store.ts';
import { boundOfDay, isUtc, setUtc, startOfDay } from './day.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

// The words are no more precise than this.
const now = store(Date.now());
setInterval(() => now.set(Date.now()), 30_000);
const inUtcNow = store(isUtc());

const relative = once(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' }));
const format = (options: Intl.DateTimeFormatOptions) => once(() => new Intl.DateTimeFormat(undefined, options));
const moment = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
/** Times in another zone than the reader's name it. */
const formatsIn = (zone: Intl.DateTimeFormatOptions, named: Intl.DateTimeFormatOptions) => ({
  moment: format({ ...moment, ...zone, ...named }),
  otherYearMoment: format({ ...moment, year: 'numeric', ...zone, ...named }),
  exact: format({ ...moment, second: '2-digit', ...zone, ...named }),
  thisWeek: format({ weekday: 'short', hour: '2-digit', minute: '2-digit', ...zone, ...named }),
  sameYear: format({ day: 'numeric', month: 'short', ...zone }),
  otherYear: format({ day: 'numeric', month: 'short', year: 'numeric', ...zone }),
  weekday: format({ weekday: 'short', day: 'numeric', month: 'short', ...zone }),
  otherYearWeekday: format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', ...zone }),
  dayName: format({ weekday: 'short', ...zone }),
  clock: format({ hour: '2-digit', minute: '2-digit', ...zone }),
  full: format({ dateStyle: 'full', timeStyle: 'long', ...zone }),
});
const local = formatsIn({}, {});
const inUtc = formatsIn({ timeZone: 'UTC' }, { timeZoneName: 'short' });

const formats = () => (isUtc() ? inUtc : local);

/** Whether times are shown in UTC, and the switch. */
export function useUtc() {
  const set = (next: boolean) => {
    setUtc(next);
    inUtcNow.set(next);
  };
  return [inUtcNow.use(), set] as const;
}

const calendarDays = (from: number, to: number) => Math.round((startOfDay(to) - startOfDay(from)) / day);

/** "4 min ago", "tomorrow", "18 Nov". */
export function sayRelative(at: number, from = now.read()): string {
  const apart = at - from;
  const far = Math.abs(apart);
  if (far < minute) return relative().format(0, 'second');
  if (far < hour) return relative().format(Math.trunc(apart / minute), 'minute');
  const days = calendarDays(from, at);
  if (days === 0 || far < 6 * hour) return relative().format(Math.trunc(apart / hour), 'hour');
  if (Math.abs(days) <= 6) return relative().format(days, 'day');
  return sayDay(at);
}

type Format = keyof ReturnType<typeof formatsIn>;
const say = (format: Format, at: number | string): string => formats()[format]().format(new Date(at));
const isThisYear = (at: number | string): boolean => new Date(at).getFullYear() === new Date().getFullYear();

export const sayDay = (at: number | string): string => say(isThisYear(at) ? 'sameYear' : 'otherYear', at);

/** Days (`2026-11-22`), both included: "from 1 Nov until 30 Nov". */
export function sayDays(from: string | undefined, to: string | undefined): string {
  const [first, last] = [boundOfDay(from), boundOfDay(to)];
  return [first && `from ${sayDay(first)}`, last && `until ${sayDay(last)}`].filter(Boolean).join(' ');
}

/** "Tue 08:21" within a week, otherwise the date. */
export const sayNear = (at: string): string =>
  Math.abs(Date.parse(at) - Date.now()) < 6 * day ? say('thisWeek', at) : sayDay(at);

export const sayMoment = (at: number | string): string => say('moment', at);

export const sayClock = (at: number | string): string => say('clock', at);

/** A moment, with the year only if it is another one. */
export const sayDue = (at: number | string): string => say(isThisYear(at) ? 'moment' : 'otherYearMoment', at);

/** "Sat 5 Dec", with the year only if it is another one. */
export const sayWeekday = (at: number | string): string => say(isThisYear(at) ? 'weekday' : 'otherYearWeekday', at);

/** "today", "tomorrow", otherwise "Thu 3 Dec". */
export function sayNearDay(at: string, from: number): string {
  const days = calendarDays(from, Date.parse(at));
  return Math.abs(days) <= 1 ? relative().format(days, 'day') : sayWeekday(at);
}

/** Of a time that has passed: "09:10" today, "Fri" within a week, otherwise "Fri 20 Nov". */
export function sayPastDay(at: string, from: number): string {
  const days = calendarDays(Date.parse(at), from);
  return days === 0 ? sayClock(at) : days <= 6 ? say('dayName', at) : sayWeekday(at);
}

/** For the title of a shorter time. */
export const sayFull = (at: number | string): string => say('full', at);

/** "today, 12:04", otherwise the moment. */
export const sayToday = (at: number | string, from: number): string =>
  calendarDays(new Date(at).getTime(), from) === 0 ? `${relative().format(0, 'day')}, ${sayClock(at)}` : sayMoment(at);

const formatters = {
  relative: (at: string, from: number) => sayRelative(Date.parse(at), from),
  moment: sayMoment,
  exact: (at: string) => say('exact', at),
  day: sayDay,
  weekday: sayWeekday,
};

/** In the reader's language and zone, with the exact time on hover. */
export function Time({ at, as = 'relative' }: { at: string; as?: keyof typeof formatters }) {
  const from = now.use();
  useUtc();
  return (
    <time dateTime={at} title={sayFull(at)}>
      {formatters[as](at, from)}
    </time>
  );
}
