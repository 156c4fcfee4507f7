import { type RawBuilder, sql } from 'kysely';

export type Time = Date | string | number;

/** A UTC time as Postgres writes it; in JSON with a T and minutes in the zone. */
const inUtc = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,3})?\+00(?::00)?$/;

export function isoTime(at: Time): string;
export function isoTime(at: Time | null): string | null;
export function isoTime(at: Time | null): string | null {
  if (at === null) return null;
  if (typeof at !== 'string' || !inUtc.test(at)) return new Date(at).toISOString();
  const fraction = at.slice(20, at.indexOf('+'));
  return `${at.slice(0, 10)}T${at.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

/** Milliseconds since 1970: the exact form for JSON built in a statement. */
export const epochMilliseconds = (time: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(extract(epoch from ${time}) * 1000)::bigint`;
