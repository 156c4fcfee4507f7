import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A secret of this installation, made once under `dataDir` so that a second start knows it again. */
export function keptSecret(dataDir: string, name: string, make = randomSecret): string {
  const file = join(dataDir, name);
  if (!existsSync(file)) {
    // Open to traverse, so that the database's own user can reach its folder; what lies in it is closed by itself.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    // Linked once it is whole, and only where there is none yet: of two first starts both read the same.
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

/** Such as `tabo-mire-kulo-vasi`: 50 random bits that a person can type from the screen. */
export const typablePassword = (): string => Array.from({ length: 4 }, () => syllable() + syllable()).join('-');
