import { networkOf } from '../http/rate-limit.ts';
import { type Db, transact } from '../db/pool.ts';
import { newId } from '../lib/id.ts';
import { notify } from '../notifications/notify.ts';
import type { Signer } from '../lib/signer.ts';

/** Also by a key that was replaced. */
const isOf = (signer: Signer, ip: string) => (hash: string) => signer.verify('network', networkOf(ip), hash);

/** Whether this person has signed in from the caller's network before. */
export async function knowsNetwork(db: Db, signer: Signer, email: string, ip: string): Promise<boolean> {
  const person = await db.selectFrom('people').select('known_networks').where('email', '=', email).executeTakeFirst();
  return person?.known_networks.some(isOf(signer, ip)) ?? false;
}

/** Keeps the last ten networks, newest first. With `device`, tells the person of a sign-in from a new one. */
export async function rememberNetwork(
  db: Db,
  signer: Signer,
  email: string,
  ip: string,
  device?: string,
): Promise<void> {
  const hash = signer.sign('network', networkOf(ip));
  const person = (some: Db) => some.selectFrom('people').select(['id', 'known_networks']).where('email', '=', email);
  if ((await person(db).executeTakeFirst())?.known_networks[0] === hash) return;
  await transact(db, async (trx) => {
    const locked = await person(trx).forNoKeyUpdate().executeTakeFirst();
    if (!locked) return;
    const others = locked.known_networks.filter((network) => !isOf(signer, ip)(network));
    const known_networks = [hash, ...others].slice(0, 10);
    await trx.updateTable('people').set({ known_networks }).where('id', '=', locked.id).execute();
    const isNew = others.length > 0 && others.length === locked.known_networks.length;
    if (device !== undefined && isNew)
      await notify(trx, [locked.id], { kind: 'sign_in', cause: newId(), accountId: null, about: device });
  });
}
