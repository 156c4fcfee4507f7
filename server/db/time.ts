import { type RawBuilder, sql } from 'kysely';

type Time = Date | string | number;

/** A time as answers show it, from a column, from the JSON of a row, or from milliseconds. */
export function isoTime(at: Time): string;
export function isoTime(at: Time | null): string | null;
export function isoTime(at: Time | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** A time in milliseconds since 1970: how a statement puts it into JSON exactly. */
export const epochMilliseconds = (time: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(extract(epoch from ${time}) * 1000)::bigint`;
