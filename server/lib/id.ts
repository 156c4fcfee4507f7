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

/** The millisecond of the newest id, as an id begins with it, and how many ids of it came before. */
const last = { ms: 0, time: '', count: 0 };

/**
 * A new uuid of version 7: later ids of a process sort after earlier ones, by a count where they are of one millisecond.
 * Made and written here because every request does it several times, and the package takes ten times as long.
 */
export function newId(): string {
  const now = Date.now();
  if (now > last.ms) beginMillisecond(now);
  else if (++last.count > 0xfff) beginMillisecond(last.ms + 1);
  return `${last.time}-${(0x7000 + last.count).toString(16)}${randomUUID().slice(18)}`;
}

function beginMillisecond(ms: number): void {
  const time = ms.toString(16).padStart(12, '0');
  Object.assign(last, { ms, time: `${time.slice(0, 8)}-${time.slice(8)}`, count: 0 });
}

export const newRequestId = (): string => showId('req', newId());

/** The digits of a base: how many bits each has, which by its code, and the code of each. */
const digitsOf = (width: number, digits: string) => ({
  width,
  bits: Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, digits.indexOf(String.fromCharCode(code)))),
  codes: Uint8Array.from(digits, (digit) => digit.charCodeAt(0)),
});
const base16 = digitsOf(4, '0123456789abcdef');
const base32 = digitsOf(5, '0123456789abcdefghjkmnpqrstvwxyz');

const hyphen = '-'.charCodeAt(0);

/** Where digits are written, since a text that grows by each would leave as many behind. */
const written = Buffer.alloc(32);

/** Digits of one base in those of another. `spare`: bits that the other has more of at the beginning. */
function recode(text: string, from: typeof base16, to: typeof base16, spare: number): string {
  let length = 0;
  let bits = 0;
  let count = spare;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === hyphen) continue;
    bits = ((bits << from.width) | (from.bits[code] ?? 0)) & 0xffff;
    for (count += from.width; count >= to.width; length++) {
      count -= to.width;
      written[length] = to.codes[(bits >> count) & (to.codes.length - 1)] ?? 0;
    }
  }
  return written.toString('latin1', 0, length);
}

/** The TypeID of a uuid. */
export const showId = (prefix: Prefix, uuid: string): string => `${prefix}_${recode(uuid, base16, base32, 2)}`;

/** The uuid behind an id of that kind; null for anything else, which then names nothing. */
export function readId(prefix: Prefix, text: string): string | null {
  if (text.length !== prefix.length + 27 || !text.startsWith(`${prefix}_`) || !suffix.test(text.slice(-26)))
    return null;
  const hex = recode(text.slice(-26), base32, base16, -2);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A uuid in base 32: more than 128 bits would be another spelling of one. */
const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
