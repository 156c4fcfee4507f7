import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { timingSafeEqual } from 'node:crypto';
import { batch } from '../db/batch.ts';
import type { EndedKey } from '../http/caller.ts';
import type { KeyParts } from './plaintext-key.ts';

/** A key, whether or not it works now. `unseen`: the last use was noted more than a minute ago. */
type FoundKey = {
  id: string;
  prefix: string;
  secret_sha256: Buffer;
  unseen: boolean;
  /** Null for a key that works. */
  ended: EndedKey['because'] | null;
  ended_at: Date | null;
};

type Keys<Row extends FoundKey> = {
  kind: EndedKey['kind'];
  /** The keys with these prefixes. */
  withPrefixes: (prefixes: readonly string[]) => Promise<Row[]>;
  /** Notes the last use, at most once a minute per key. */
  noteUse: (id: string) => Promise<unknown>;
};

/** Whether a key's last use is to be noted: the column `unseen`, and what noting asks again. */
export const isUnseen = sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`;

const nobody = Buffer.alloc(32);

/**
 * Finds the key behind what a caller sent. All requests of one tick share one statement and nothing is cached, so a
 * revoked key stops at once in every process. An unknown prefix costs the same hash and comparison as a wrong secret.
 * Only a caller who sent the right secret learns that the key has ended.
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

  /** Beside the request; a failure costs the note and nothing else. */
  function note(id: string): void {
    if (noting.has(id)) return;
    noting.add(id);
    noteUse(id)
      .catch((error: unknown) => log.warn({ err: error }, 'the last use of a key was not noted'))
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
