import { createHmac, timingSafeEqual } from 'node:crypto';

/** How many seconds a signature may be old or early. */
const tolerance = 300;

const hmac = (secret: string, timestamp: string | number, body: string | Buffer) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();

export const sign = (secret: string, timestamp: number, body: string | Buffer): string =>
  `t=${timestamp},v1=${hmac(secret, timestamp, body).toString('hex')}`;

/** Null unless sent exactly once. Uses raw headers, because Node joins or drops repeated ones. */
export function onlyHeader(name: string, rawHeaders: readonly string[]): string | null {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/**
 * `t=<seconds>,v1=<hex>`. There may be several `v1` while a secret is replaced; other schemes are ignored.
 * ASCII without spaces, as in the provider's SDK; `t` has no leading zeros, because the SDK signs the number.
 */
function readHeader(header: string): { timestamp: string; macs: Buffer[] } | null {
  const matches = header.split(',').map((part) => /^(\w+)=([\x21-\x7e]+)$/.exec(part));
  if (matches.length > 16 || matches.includes(null)) return null;
  const valuesOf = (name: string) => matches.flatMap((part) => (part?.[1] === name && part[2] ? [part[2]] : []));
  const [timestamp = '', ...more] = valuesOf('t');
  const macs = valuesOf('v1').filter((value) => /^[0-9a-f]{64}$/.test(value));
  if (more.length > 0 || !/^[1-9]\d{0,10}$/.test(timestamp) || macs.length === 0) return null;
  return { timestamp, macs: macs.map((mac) => Buffer.from(mac, 'hex')) };
}

/**
 * `accepted`: `at` in seconds, and whether the first of the secrets matched. `unmatched`: of the right form,
 * but signed with none of the secrets. `untimely`: signed with one, so many `seconds` later than this clock.
 */
export type Verdict =
  | { outcome: 'accepted'; at: number; byFirst: boolean }
  | { outcome: 'unsigned' | 'unmatched' }
  | { outcome: 'untimely'; seconds: number };

/** All macs are compared in constant time. */
export function checkSignature(header: string | null, body: Buffer, secrets: readonly string[], now: Date): Verdict {
  const signature = header === null ? null : readHeader(header);
  if (!signature) return { outcome: 'unsigned' };
  const { timestamp, macs } = signature;
  const matches = secrets.map((secret) => {
    const expected = hmac(secret, timestamp, body);
    return macs.map((mac) => timingSafeEqual(expected, mac)).includes(true);
  });
  const seconds = Number(timestamp) - Math.floor(now.getTime() / 1000);
  const inTime = Math.abs(seconds) <= tolerance;
  if (!matches.includes(true)) return { outcome: 'unmatched' };
  if (!inTime) return { outcome: 'untimely', seconds };
  return { outcome: 'accepted', at: Number(timestamp), byFirst: matches[0] === true };
}
