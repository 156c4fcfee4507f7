import { useSyncExternalStore } from 'react';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

// Half a minute is as exact as the words are.
let now = Date.now();
const listeners = new Set<() => void>();
setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, 30_000);
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const withTime = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const sameYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const otherYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

const calendarDays = (from: number, to: number) =>
  Math.round((new Date(to).setHours(0, 0, 0, 0) - new Date(from).setHours(0, 0, 0, 0)) / day);

/** "4 min ago", "tomorrow", "18 Nov": as near as a reader needs it. */
export function sayRelative(at: number, from = now): string {
  const apart = at - from;
  const far = Math.abs(apart);
  if (far < minute) return relative.format(0, 'second');
  if (far < hour) return relative.format(Math.trunc(apart / minute), 'minute');
  const days = calendarDays(from, at);
  if (days === 0 || far < 6 * hour) return relative.format(Math.trunc(apart / hour), 'hour');
  if (Math.abs(days) <= 6) return relative.format(days, 'day');
  return sayDay(at);
}

export const sayDay = (at: number | string): string => {
  const date = new Date(at);
  return (date.getFullYear() === new Date().getFullYear() ? sameYear : otherYear).format(date);
};

const thisWeek = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' });

/** "Tue 08:21" of what is less than a week away, else the date. */
export const sayNear = (at: string): string =>
  Math.abs(Date.parse(at) - Date.now()) < 6 * day ? thisWeek.format(new Date(at)) : sayDay(at);

export const sayMoment = (at: number | string): string => withTime.format(new Date(at));

type Shown = { at: string; as?: 'relative' | 'moment' | 'day' };

/** A time in the reader's language and zone; the exact one on hovering. */
export function Time({ at, as = 'relative' }: Shown) {
  const from = useSyncExternalStore(subscribe, () => now);
  const words = as === 'relative' ? sayRelative(Date.parse(at), from) : as === 'day' ? sayDay(at) : sayMoment(at);
  return (
    <time dateTime={at} title={full.format(new Date(at))}>
      {words}
    </time>
  );
}
