import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What is stored of a key: the prefix finds the row, the digest proves the secret. */
export type KeyParts = { prefix: string; digest: Buffer };

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Crockford's alphabet: no i, l, o or u, so that a prefix can be read aloud. */
const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

function inBase62(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; rest > 0n; rest /= 62n) text = base62[Number(rest % 62n)] + text;
  return text.padStart(length, '0');
}

const checksum = (text: string) => inBase62(BigInt(crc32(text)), 6);
const digestOf = (secret: string) => hash('sha256', secret, 'buffer');

/** A new key `<lead>_<prefix>_<secret>`. The secret is 32 random bytes in base62, followed by a checksum. */
export function mintKey(lead: string): KeyParts & { plaintext: string } {
  const prefix = Array.from(randomBytes(8), (byte) => base32[byte % 32]).join('');
  const random = inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43);
  const unchecked = `${lead}_${prefix}_${random}`;
  const secret = random + checksum(unchecked);
  return { plaintext: `${lead}_${prefix}_${secret}`, prefix, digest: digestOf(secret) };
}

/** Null for text that cannot be a key, such as a mistyped one. Does not need the database. */
export function readKey(lead: string, text: string): KeyParts | null {
  const [textLead, prefix, secret, ...rest] = text.split('_');
  if (textLead !== lead || !prefix || !secret || rest.length > 0) return null;
  if (!/^[0-9a-hjkmnp-tv-z]{8}$/.test(prefix) || !/^[0-9A-Za-z]{49}$/.test(secret)) return null;
  if (checksum(text.slice(0, -6)) !== text.slice(-6)) return null;
  return { prefix, digest: digestOf(secret) };
}
