import type { Signer } from '../lib/signer.ts';

/** Everything that the signature covers. */
type Terms = { method: 'GET' | 'PUT'; key: string; expires: string; signedValues: readonly string[] };

const text = ({ method, key, expires, signedValues }: Terms) => JSON.stringify([method, key, expires, ...signedValues]);

/** `expires` is in seconds since 1970, by the clock of the database. */
export function signQuery(signer: Signer, terms: Terms): string {
  return `expires=${terms.expires}&signature=${signer.sign('storage', text(terms))}`;
}

export function signatureHolds(signer: Signer, terms: Terms, signature: string, now: Date): boolean {
  return signer.verify('storage', text(terms), signature) && now.getTime() < Number(terms.expires) * 1000;
}
