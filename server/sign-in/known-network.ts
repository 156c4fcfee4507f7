import { sql } from 'kysely';
import { networkOf } from '../http/rate-subject.ts';
import type { Db } from '../db/pool.ts';
import { transact } from '../db/transact.ts';
import type { Signer } from '../lib/signer.ts';

const hashOf = (signer: Signer, ip: string) => signer.sign('network', networkOf(ip));

/** Whether this person has signed in from the caller's network before. */
export async function knowsNetwork(db: Db, signer: Signer, email: string, ip: string): Promise<boolean> {
  const row = await db
    .selectFrom('people')
    .select('id')
    .where('email', '=', email)
    .where(sql<boolean>`${hashOf(signer, ip)} = any(known_networks)`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps the last ten networks, newest first. */
export async function rememberNetwork(db: Db, signer: Signer, email: string, ip: string): Promise<void> {
  const hash = hashOf(signer, ip);
  const person = (some: Db) => some.selectFrom('people').select(['id', 'known_networks']).where('email', '=', email);
  if ((await person(db).executeTakeFirst())?.known_networks[0] === hash) return;
  await transact(db, async (trx) => {
    const locked = await person(trx).forNoKeyUpdate().executeTakeFirst();
    if (!locked) return;
    const known_networks = [hash, ...locked.known_networks.filter((other) => other !== hash)].slice(0, 10);
    await trx.updateTable('people').set({ known_networks }).where('id', '=', locked.id).execute();
  });
}
