import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts what must be stored and read again. The purpose is part of the key: what was encrypted for one is nothing for another. */
export type Encryption = {
  encrypt(purpose: string, text: string): string;
  decrypt(purpose: string, ciphertext: string): string;
};

const [nonceBytes, tagBytes] = [12, 16];

/** AES-256-GCM. The first key encrypts; all decrypt, so that a key can be replaced. */
export function createEncryption(secrets: readonly string[]): Encryption {
  const keyOf = (secret: string, purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `atelier encryption ${purpose}`, 32));
  const [newest] = secrets;
  if (!newest) throw new Error('Encryption needs a key.');

  function open(key: Buffer, bytes: Buffer): string | null {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString();
    } catch {
      return null;
    }
  }

  return {
    encrypt(purpose, text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyOf(newest, purpose), nonce);
      const encrypted = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64');
    },
    decrypt(purpose, ciphertext) {
      const bytes = Buffer.from(ciphertext, 'base64');
      for (const secret of secrets) {
        const text = open(keyOf(secret, purpose), bytes);
        if (text !== null) return text;
      }
      throw new Error('No key decrypts this: SECRET_KEY was replaced without the older one beside it.');
    },
  };
}
