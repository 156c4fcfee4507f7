import { randomUUID } from 'node:crypto';

/** Ids travel as TypeIDs (`job_01…`) and are stored as uuid. */
const prefixes = [
  'acct',
  'tpl',
  'user',
  'sess',
  'mem',
  'inv',
  'key',
  'job',
  'evt',
  'ent',
  'req',
  'note',
  'wkey',
  'file',
  'ise',
  'msg',
  'cmt',
  'rpl',
  'aud',
  'hook',
  'dlv',
  'rvl',
  'mac',
  'oinv',
  'adj',
  'ntf',
  'app',
  'ord',
  'view',
  'time',
] as const;
export type Prefix = (typeof prefixes)[number];

const last = { ms: 0, time: '', count: 0 };

/** UUIDv7 with a counter within a millisecond. The package is ten times slower. */
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

/** Lookup tables for a base: bits per digit, value by character code, character code by value. */
const digitsOf = (width: number, digits: string) => ({
  width,
  bits: Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, digits.indexOf(String.fromCharCode(code)))),
  codes: Uint8Array.from(digits, (digit) => digit.charCodeAt(0)),
});
const base16 = digitsOf(4, '0123456789abcdef');
const base32 = digitsOf(5, '0123456789abcdefghjkmnpqrstvwxyz');

const hyphen = '-'.charCodeAt(0);

/** Reused output buffer: building the text digit by digit would allocate a string for each. */
const written = Buffer.alloc(32);

/** Converts digits from one base to another. `spare`: leading bits that only the target has room for. */
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

export const showId = (prefix: Prefix, uuid: string): string => `${prefix}_${recode(uuid, base16, base32, 2)}`;

/** A person or a key as answers name it. */
export const withCreatorId = <C extends { kind: string; id: string }>(by: C): C => ({
  ...by,
  id: showId(by.kind === 'user' || by.kind === 'operator' ? 'user' : 'key', by.id),
});

/** The uuid behind an id with that prefix; null for anything else. */
export function readId(prefix: Prefix, text: string): string | null {
  if (text.length !== prefix.length + 27 || !text.startsWith(`${prefix}_`) || !suffix.test(text.slice(-26)))
    return null;
  const hex = recode(text.slice(-26), base32, base16, -2);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A uuid in base 32. A first digit above 7 would exceed 128 bits and alias another id. */
const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export const isId = (text: string): boolean => prefixes.some((prefix) => readId(prefix, text) !== null);
