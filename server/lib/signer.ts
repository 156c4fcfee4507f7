import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs what leaves the service and must come back unchanged: cursors and CSRF tokens. */
export type Signer = {
  sign(purpose: string, text: string): string;
  verify(purpose: string, text: string, mac: string): boolean;
  /** A keyed hash of an address, so that it can be compared and tells nothing: rows and log lines of one caller share it. */
  hashAddress(address: string): string;
  /** Of each key, that of the newest first. Tells nothing about the key but whether it is the same. */
  fingerprints: string[];
};

/** Addresses whose hash is remembered; a flood of others begins again. */
const rememberedAddresses = 10_000;

/** The first key signs; all are accepted, so that a key can be replaced without breaking what is out there. */
export function createSigner(keys: readonly string[]): Signer {
  const mac = (key: string, purpose: string, text: string) =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest();
  const [newest] = keys;
  if (!newest) throw new Error('A signer needs a key.');
  const sign = (purpose: string, text: string) => mac(newest, purpose, text).toString('base64url');
  const hashes = new Map<string, string>();
  return {
    sign,
    hashAddress(address) {
      const hash = hashes.get(address) ?? sign('address', address);
      if (hashes.size >= rememberedAddresses) hashes.clear();
      hashes.set(address, hash);
      return hash;
    },
    verify: (purpose, text, given) => {
      const bytes = Buffer.from(given, 'base64url');
      // base64url has several spellings of one value; only the one we made is ours.
      if (bytes.length !== 32 || bytes.toString('base64url') !== given) return false;
      return keys.some((key) => timingSafeEqual(mac(key, purpose, text), bytes));
    },
    fingerprints: keys.map((key) => mac(key, 'fingerprint', '').toString('hex').slice(0, 12)),
  };
}
