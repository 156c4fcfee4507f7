import { type RawBuilder, sql } from 'kysely';

/** A time from a column, from a column as text, from the JSON of a row, or in milliseconds. */
export type Time = Date | string | number;

/** As Postgres writes a time in UTC, which connections of the service ask for; in JSON with a T and minutes of the zone. */
const inUtc = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,3})?\+00(?::00)?$/;

/** A time as answers show it. A text is only written differently: lists show five times a row. */
export function isoTime(at: Time): string;
export function isoTime(at: Time | null): string | null;
export function isoTime(at: Time | null): string | null {
  if (at === null) return null;
  if (typeof at !== 'string' || !inUtc.test(at)) return new Date(at).toISOString();
  const fraction = at.slice(20, at.indexOf('+'));
  return `${at.slice(0, 10)}T${at.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

/** A time in milliseconds since 1970: how a statement puts it into JSON exactly. */
export const epochMilliseconds = (time: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(extract(epoch from ${time}) * 1000)::bigint`;
