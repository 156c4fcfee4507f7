import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { batch } from '../db/batch.ts';
import type { EndedKey } from '../http/request.ts';

/** `unseen`: no use was recorded in the last minute. */
type FoundKey = {
  id: string;
  prefix: string;
  secret_sha256: Buffer;
  unseen: boolean;
  ended: EndedKey['because'] | null;
  ended_at: Date | null;
};

type Keys<Row extends FoundKey> = {
  kind: EndedKey['kind'];
  withPrefixes: (prefixes: readonly string[]) => Promise<Row[]>;
  noteUse: (id: string) => Promise<unknown>;
};

/** Records a use at most once a minute. */
export const isUnseen = sql<boolean>`(last_used_at is null or last_used_at < now() - interval '1 minute')`;

const nobody = Buffer.alloc(32);

/**
 * All requests of one tick share one statement, and nothing is cached, so a revoked key stops working at once
 * in every process. An unknown prefix costs the same hash and comparison as a wrong secret. Only a caller
 * with the right secret learns that the key has ended.
 */
export function keyFinder<Row extends FoundKey>(
  { kind, withPrefixes, noteUse }: Keys<Row>,
  log: FastifyBaseLogger,
): (key: KeyParts) => Promise<Row | EndedKey | null> {
  const findRow = batch(
    async (prefixes: readonly string[]) => {
      const rows = new Map((await withPrefixes([...new Set(prefixes)])).map((row) => [row.prefix, row]));
      return prefixes.map((prefix) => rows.get(prefix) ?? null);
    },
    { maxBatchSize: 500, maxInFlight: 2 },
  );
  const noting = new Set<string>();

  /** Runs beside the request: a failure loses only this record. */
  function note(id: string): void {
    if (noting.has(id)) return;
    noting.add(id);
    noteUse(id)
      .catch((error: unknown) => log.warn({ err: error }, 'could not record the last use of a key'))
      .finally(() => noting.delete(id));
  }

  return async ({ prefix, digest }) => {
    const row = await findRow(prefix);
    const proven = timingSafeEqual(row?.secret_sha256 ?? nobody, digest);
    if (!row || !proven) return null;
    if (row.ended) return { method: 'ended_key', kind, because: row.ended, at: row.ended_at };
    if (row.unseen) note(row.id);
    return row;
  };
}

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
