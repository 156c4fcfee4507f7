import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../lib/id.ts';
import type { Email } from './letter.ts';

type KeptEmail = Pick<Email, 'to' | 'subject' | 'text'> & { created_at: string };

export type Mailbox = {
  keep(email: Pick<Email, 'to' | 'subject' | 'text'>): Promise<void>;
  read(): Promise<KeptEmail[]>;
  forget(address: string): Promise<void>;
};

const mostKept = 200;

/** Mails without a mail server: the newest 200, in files whose names sort by time. */
export function createMailbox(folder: string): Mailbox {
  const names = async () =>
    (await readdir(folder).catch(() => []))
      .filter((name) => name.endsWith('.json'))
      .toSorted()
      .toReversed();
  return {
    async keep({ to, subject, text }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = join(folder, newId());
      const email: KeptEmail = { to, subject, text, created_at: new Date().toISOString() };
      await writeFile(name, JSON.stringify(email), { mode: 0o600 });
      await rename(name, `${name}.json`); // readers see complete files only
      for (const old of (await names()).slice(mostKept)) await rm(join(folder, old), { force: true });
    },
    async read() {
      const files = (await names()).slice(0, mostKept).map((name) => readFile(join(folder, name), 'utf8'));
      return (await Promise.all(files)).map((text) => JSON.parse(text) as KeptEmail);
    },
    async forget(address) {
      for (const name of await names()) {
        const { to } = JSON.parse(await readFile(join(folder, name), 'utf8')) as KeptEmail;
        if (to === address) await rm(join(folder, name), { force: true });
      }
    },
  };
}
