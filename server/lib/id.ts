import { randomUUID } from 'node:crypto';

/** Ids travel as TypeIDs (`job_01…`) and are stored as uuid. */
export type Prefix =
  | 'acct'
  | 'user'
  | 'sess'
  | 'mem'
  | 'inv'
  | 'key'
  | 'job'
  | 'evt'
  | 'ent'
  | 'req'
  | 'note'
  | 'wkey'
  | 'file'
  | 'ise'
  | 'msg'
  | 'aud'
  | 'hook'
  | 'dlv';

let last = { ms: 0, count: 0 };

/**
 * A new uuid of version 7: later ids of a process sort after earlier ones, by a count where they are of one millisecond.
 * Made and written here because every request does it several times, and the package takes ten times as long.
 */
export function newId(): string {
  const now = Date.now();
  last = now > last.ms ? { ms: now, count: 0 } : { ms: last.ms, count: last.count + 1 };
  if (last.count > 0xfff) last = { ms: last.ms + 1, count: 0 };
  const time = last.ms.toString(16).padStart(12, '0');
  const count = last.count.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}${randomUUID().slice(18)}`;
}

export const newRequestId = (): string => showId('req', newId());

const letters = '0123456789abcdefghjkmnpqrstvwxyz';
/** What ten bits are in base 32. */
const pairs = Array.from({ length: 1_024 }, (_, bits) => `${letters[bits >> 5]}${letters[bits & 31]}`);

/** The TypeID of a uuid: eight bits, then twenty at a time. */
export function showId(prefix: Prefix, uuid: string): string {
  const hex = uuid.replaceAll('-', '');
  let id = `${prefix}_${pairs[parseInt(hex.slice(0, 2), 16)]}`;
  for (let at = 2; at < 32; at += 5) {
    const bits = parseInt(hex.slice(at, at + 5), 16);
    id += `${pairs[bits >> 10]}${pairs[bits & 1_023]}`;
  }
  return id;
}

/** The uuid behind an id of that kind; null for anything else, which then names nothing. */
export function readId(prefix: Prefix, text: string): string | null {
  if (text.length !== prefix.length + 27 || !text.startsWith(`${prefix}_`) || !suffix.test(text.slice(-26)))
    return null;
  let hex = bitsOf(text, -26).toString(16).padStart(2, '0');
  for (let at = -24; at < 0; at += 4)
    hex += ((bitsOf(text, at) << 10) | bitsOf(text, at + 2)).toString(16).padStart(5, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A uuid in base 32: more than 128 bits would be another spelling of one. */
const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const bitsOfPair = new Map(pairs.map((pair, bits) => [pair, bits]));
const bitsOf = (text: string, at: number): number => bitsOfPair.get(text.slice(at, at + 2 || undefined)) ?? 0;
