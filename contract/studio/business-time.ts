/** How business hours are counted. Without a schema library, so that pages promise what the service does. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type BusinessHours = {
  /** An IANA name. */
  time_zone: string;
  /** Spans such as `09:00-12:30`, in order; a day without one is off. */
  hours: Record<(typeof weekdays)[number], string[]>;
  /** Days off, such as `2026-12-25`. */
  holidays: string[];
};

type Span = { opens: number; closes: number };

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** In milliseconds after midnight. */
export function readSpan(span: string): Span {
  const [opens = 0, closes = 0] = span.split('-').map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return hours * hour + minutes * minute;
  });
  return { opens, closes };
}

/** When so many hours have passed, in milliseconds. Only business hours count, if there are any. */
export function hoursAfter(business: BusinessHours | null, from: number, hours: number): number {
  if (business === null) return from + hours * hour;
  const { dateOf, openingsOf } = calendarOf(business);
  const first = dateOf(from);
  let left = hours * hour;
  for (let date = first; date < first + mostDays; date++)
    for (const { opens, closes } of openingsOf(date)) {
      const start = Math.max(opens, from);
      if (start >= closes) continue;
      if (start + left <= closes) return start + left;
      left -= closes - start;
    }
  return from + mostDays * day;
}

/** More than any option needs. A job may have been promised more hours when the studio worked longer. */
const mostDays = 2_000;

/** Whether the studio works at that moment. It works until the end of each span. */
export const isBusinessTime = (business: BusinessHours, at: number): boolean => {
  const { dateOf, openingsOf } = calendarOf(business);
  return openingsOf(dateOf(at - 1)).some(({ opens, closes }) => opens <= at && at <= closes);
};

/** Working days later, at the same time of day or the nearest earlier one at which the studio works. */
export function workingDaysAfter(business: BusinessHours, from: number, days: number): number {
  const { dateOf, openingsOf } = calendarOf(business);
  let date = dateOf(from);
  const last = date + mostDays;
  for (let left = days; left > 0 && date < last;) if (openingsOf(++date).length > 0) left--;
  return timeOn(business, date, from);
}

/** On the first working day of the week after. */
export function workingWeekAfter(business: BusinessHours, from: number): number {
  const { dateOf, openingsOf } = calendarOf(business);
  const today = dateOf(from);
  let date = today + 7 - ((today + 3) % 7);
  for (const last = date + mostDays; openingsOf(date).length === 0 && date < last;) date++;
  return timeOn(business, date, from);
}

/** The first opening of the day, if the time is before it. */
function timeOn(business: BusinessHours, date: number, from: number): number {
  const { openingsOf, sameTime } = calendarOf(business);
  const at = sameTime(from, date);
  const openings = openingsOf(date);
  const begun = openings.findLast(({ opens }) => opens <= at);
  return begun ? Math.min(at, begun.closes) : (openings[0]?.opens ?? at);
}

type Calendar = {
  dateOf: (at: number) => number;
  openingsOf: (date: number) => Span[];
  sameTime: (at: number, date: number) => number;
};
const calendars = new WeakMap<BusinessHours, Calendar>();

function calendarOf(business: BusinessHours): Calendar {
  const cached = calendars.get(business);
  if (cached) return cached;
  const { shown, momentOf } = zoneOf(business.time_zone);
  const week = weekdays.map((weekday) => business.hours[weekday].map(readSpan));
  const holidays = new Set(business.holidays);
  const openings = new Map<number, Span[]>();
  const calendar: Calendar = {
    // Days since 1970, which began on a Thursday.
    dateOf: (at) => Math.floor(shown(at) / day),
    sameTime: (at, date) => momentOf(date * day + (shown(at) % day)),
    openingsOf(date) {
      const midnight = date * day;
      const isOff = holidays.has(new Date(midnight).toISOString().slice(0, 10));
      const spans = (isOff ? [] : (week[(date + 3) % 7] ?? []))
        .map(({ opens, closes }) => ({ opens: momentOf(midnight + opens), closes: momentOf(midnight + closes) }))
        .filter(({ opens, closes }) => opens < closes);
      openings.set(date, spans);
      return spans;
    },
  };
  const remembering = { ...calendar, openingsOf: (date: number) => openings.get(date) ?? calendar.openingsOf(date) };
  calendars.set(business, remembering);
  return remembering;
}

/** The clocks of a time zone. What they show is a number, as if it were UTC. */
function zoneOf(timeZone: string) {
  const numeric = 'numeric' as const;
  const fields = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric };
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...fields });
  const shown = (at: number): number => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const seconds = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return seconds + (at % 1000);
  };
  const offset = (at: number) => shown(at) - at;

  /** The first moment at which the clocks show this; if they skip it, the moment at which they do. */
  function momentOf(wall: number): number {
    const [before, after] = [offset(wall - day), offset(wall + day)];
    let early = wall - before;
    if (offset(early) === before) return early;
    let late = wall - after;
    if (offset(late) === after) return late;
    while (early - late > 1) {
      const middle = Math.floor((early + late) / 2);
      if (offset(middle) === before) late = middle;
      else early = middle;
    }
    return early;
  }
  return { shown, momentOf };
}
