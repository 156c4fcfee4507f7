import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { timingSafeEqual } from 'node:crypto';
import { batch } from '../db/batch.ts';
import type { EndedKey } from '../http/request.ts';
import type { KeyParts } from './plaintext-key.ts';

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
