import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs values that leave the service and must come back unchanged: cursors and CSRF tokens. */
export type Signer = {
  sign(purpose: string, text: string): string;
  verify(purpose: string, text: string, mac: string): boolean;
  /** Lets rows and log lines of one caller be compared without storing the address. */
  hashAddress(address: string): string;
  /** One fingerprint per key, newest first. It reveals nothing about a key except whether two are equal. */
  fingerprints: string[];
};

const rememberedAddresses = 10_000;

/** The first key signs and every key verifies, so that a key can be replaced. */
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
    verify: (purpose, text, signature) => {
      const bytes = Buffer.from(signature, 'base64url');
      // Several base64url texts decode to the same bytes. Accept only the canonical one.
      if (bytes.length !== 32 || bytes.toString('base64url') !== signature) return false;
      return keys.some((key) => timingSafeEqual(mac(key, purpose, text), bytes));
    },
    fingerprints: keys.map((key) => mac(key, 'fingerprint', '').toString('hex').slice(0, 12)),
  };
}
