import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** The purpose is part of the key, so values of one purpose cannot be decrypted for another. */
export type Encryption = {
  /** One id per key, newest first. A ciphertext begins with the id of its key and a dot. */
  keyIds: string[];
  encrypt(purpose: string, text: string): string;
  decrypt(purpose: string, ciphertext: string): string;
};

const [nonceBytes, tagBytes] = [12, 16];

const keyId = (secret: string) => createHash('sha256').update(`key id\n${secret}`).digest('hex').slice(0, 8);

/** AES-256-GCM. The first key encrypts and every key decrypts, so that keys can be replaced. */
export function createEncryption(secrets: readonly string[]): Encryption {
  const keyOf = (secret: string, purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `atelier encryption ${purpose}`, 32));
  const [newest] = secrets;
  if (!newest) throw new Error('Encryption needs a key.');

  function open(key: Buffer, bytes: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString();
  }

  const keyIds = secrets.map(keyId);
  return {
    keyIds,
    encrypt(purpose, text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyOf(newest, purpose), nonce);
      const encrypted = Buffer.concat([cipher.update(text), cipher.final()]);
      return `${keyIds[0]}.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64')}`;
    },
    decrypt(purpose, ciphertext) {
      const [id = '', encoded = ''] = ciphertext.split('.');
      const secret = secrets[keyIds.indexOf(id)];
      if (secret === undefined) throw new Error(`No key of SECRET_KEY decrypts this: it was encrypted with ${id}.`);
      return open(keyOf(secret, purpose), Buffer.from(encoded, 'base64'));
    },
  };
}
