import { type Db, databaseTime } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';

/** Everything that the signature covers. */
type Terms = { method: 'GET' | 'PUT'; key: string; expires: string; signedValues: readonly string[] };

const text = ({ method, key, expires, signedValues }: Terms) => JSON.stringify([method, key, expires, ...signedValues]);

/** `expires` is in seconds since 1970, by the clock of the database. */
export function signQuery(signer: Signer, terms: Terms): string {
  return `expires=${terms.expires}&signature=${signer.sign('storage', text(terms))}`;
}

type Judge = { db: Db; signer: Signer };

/** A signature that somebody made up costs the database nothing. */
export async function signatureHolds({ db, signer }: Judge, terms: Terms, signature: string): Promise<boolean> {
  if (!signer.verify('storage', text(terms), signature)) return false;
  return (await databaseTime(db)).getTime() < Number(terms.expires) * 1000;
}
