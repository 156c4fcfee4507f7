import type { Signer } from '../lib/signer.ts';

/** What the signature of a URL of the local storage covers; nothing of it can be changed, left out or used for another file. */
type Terms = { method: 'GET' | 'PUT'; key: string; expires: string; signedValues: readonly string[] };

const text = ({ method, key, expires, signedValues }: Terms) => JSON.stringify([method, key, expires, ...signedValues]);

/** Query of a signed URL. `expires` is in seconds since 1970, by the clock of the database. */
export function signQuery(signer: Signer, terms: Terms): string {
  return `expires=${terms.expires}&signature=${signer.sign('storage', text(terms))}`;
}

/** Whether the signature holds and the URL has not expired at `now`. */
export function signatureHolds(signer: Signer, terms: Terms, signature: string, now: Date): boolean {
  return signer.verify('storage', text(terms), signature) && now.getTime() < Number(terms.expires) * 1000;
}
