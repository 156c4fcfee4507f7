import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../lib/make-folder.ts';

/** A secret of this installation, made at the first start and stored under `dataDir`. */
export function keptSecret(dataDir: string, name: string, make = randomSecret): string {
  const file = join(dataDir, name);
  if (!existsSync(file)) {
    // Traversable, because the database runs as another user. The files inside have their own modes.
    makeFolder(dataDir, 0o711);
    // The complete file is linked only if there is none: concurrent first starts end up with the same secret.
    const made = `${file}.${process.pid}`;
    writeFileSync(made, make(), { mode: 0o600 });
    try {
      linkSync(made, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(made);
    }
  }
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}

const randomSecret = () => randomBytes(32).toString('hex');

const pick = (letters: string) => letters[randomInt(letters.length)];
const syllable = () => `${pick('bdfghjklmnprstvz')}${pick('aeiou')}`;

/** For example `tabo-mire-kulo-vasi`: 50 random bits that are easy to type. */
export const typablePassword = (): string => Array.from({ length: 4 }, () => syllable() + syllable()).join('-');
