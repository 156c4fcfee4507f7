import type { FastifyBaseLogger } from 'fastify';
import { type Auth, libraryKeyIds } from '../sign-in/auth.ts';
import { countSecondFactorsByKey, reencryptSecondFactors } from '../sign-in/reencrypt-second-factors.ts';
import { type Db, otherInstances } from '../db/pool.ts';
import { createEncryption, type Encryption } from '../lib/encryption.ts';
import type { Signer } from '../lib/signer.ts';
import { count } from '../lib/words.ts';
import { countSecretsByKey, reencryptSecrets } from '../webhooks/reencrypt-secrets.ts';

/** How many rows of one kind each key of SECRET_KEY has encrypted. `what`: one of them, `webhook secret`. */
export type StoredSecrets = { what: string; first: number; second: number; unknown: number };

export async function countStoredSecrets(db: Db, secretKeys: readonly string[]): Promise<StoredSecrets[]> {
  const split = (what: string, counts: Map<string, number>, keyIds: readonly string[]): StoredSecrets => {
    const [first = 0, second = 0] = keyIds.map((id) => counts.get(id) ?? 0);
    const all = [...counts.values()].reduce((sum, rows) => sum + rows, 0);
    return { what, first, second, unknown: all - first - second };
  };
  return [
    split('webhook secret', await countSecretsByKey(db), createEncryption([...new Set(secretKeys)]).keyIds),
    split('second factor', await countSecondFactorsByKey(db), libraryKeyIds(secretKeys)),
  ];
}

/** With unreadable secrets, every delivery and every second factor would fail. */
export async function refuseUnreadableSecrets(db: Db, secretKeys: readonly string[]): Promise<void> {
  const stored = await countStoredSecrets(db, secretKeys);
  const unknown = stored.filter((group) => group.unknown > 0).map((group) => count(group.unknown, group.what));
  if (unknown.length === 0) return;
  throw new Error(
    `SECRET_KEY cannot decrypt ${unknown.join(' and ')}, which another key has encrypted. ` +
      'Append that key, SECRET_KEY=new,old, and remove it when ' +
      '`npm run admin -- secrets status` reports no rows for it.',
  );
}

type Dependencies = { db: Db; log: FastifyBaseLogger; encryption: Encryption; auth: Auth; signer: Signer };

/** Waits while another process has a different first key, which may not know ours. */
export async function reencryptStoredSecrets(
  { db, log, encryption, auth, signer }: Dependencies,
  stopped: AbortSignal,
): Promise<void> {
  if (encryption.keyIds.length < 2) return;
  const tags = await otherInstances(db);
  if (tags.some((tag) => tag !== '' && tag !== signer.fingerprints[0])) {
    log.info('secrets stay under the older key while another process has a different first SECRET_KEY');
    return;
  }
  await reencryptSecrets(db, encryption, stopped);
  await reencryptSecondFactors(db, auth, stopped);
}
