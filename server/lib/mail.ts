import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import { join } from 'node:path';
import { newId } from './id.ts';

export type Email = { to: string; subject: string; text: string };
export type Mail = { send(email: Email): Promise<void> };

/** Sends by SMTP. Without `smtpUrl` (never in production) mails are kept where the one who tries the service can read them. */
export function createMail(smtpUrl: string | null, from: string, mailbox: Mailbox): Mail {
  if (smtpUrl === null) return { send: (email) => mailbox.keep(email) };
  const transport = createTransport(smtpUrl, { from });
  return { send: async (email) => void (await transport.sendMail(email)) };
}

type KeptEmail = Email & { created_at: string };

export type Mailbox = {
  keep(email: Email): Promise<void>;
  /** Newest first. */
  read(): Promise<KeptEmail[]>;
};

const kept = 200;

/** Mails in a folder, for trying the service without a mail server: the newest 200, one file each, named so that they sort by time. */
export function createMailbox(folder: string): Mailbox {
  const names = async () =>
    (await readdir(folder).catch(() => []))
      .filter((name) => name.endsWith('.json'))
      .toSorted()
      .toReversed();
  return {
    async keep(email) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = join(folder, newId());
      const text = JSON.stringify({ ...email, created_at: new Date().toISOString() } satisfies KeptEmail);
      await writeFile(name, text, { mode: 0o600 });
      await rename(name, `${name}.json`); // whole, or not there yet
      for (const old of (await names()).slice(kept)) await rm(join(folder, old), { force: true });
    },
    async read() {
      const files = (await names()).slice(0, kept).map((name) => readFile(join(folder, name), 'utf8'));
      return (await Promise.all(files)).map((text) => JSON.parse(text) as KeptEmail);
    },
  };
}
