import { sql } from 'kysely';
import { networkOf } from '../http/rate-subject.ts';
import type { Db } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';

const hashOf = (signer: Signer, ip: string) => signer.sign('network', networkOf(ip));

/** Whether this person has signed in from the caller's network before. */
export async function knowsNetwork(db: Db, signer: Signer, email: string, ip: string): Promise<boolean> {
  const row = await db
    .selectFrom('auth.user')
    .select('id')
    .where('email', '=', email)
    .where(sql<boolean>`${hashOf(signer, ip)} = any(known_networks)`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps the last ten networks, newest first. */
export async function rememberNetwork(db: Db, signer: Signer, email: string, ip: string): Promise<void> {
  const hash = hashOf(signer, ip);
  await db
    .updateTable('auth.user')
    .set({ known_networks: sql<string[]>`(array[${hash}] || array_remove(known_networks, ${hash}))[1:10]` })
    .where('email', '=', email)
    .where(sql<boolean>`known_networks[1] is distinct from ${hash}`)
    .execute();
}
