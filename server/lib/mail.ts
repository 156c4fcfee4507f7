import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from './html.ts';
import { newId } from './id.ts';

export type Email = {
  to: string;
  subject: string;
  text: string;
  /** What its link is for, where the subject does not say it. */
  button?: string;
};
export type Mail = { send(email: Email): Promise<void> };

/** Sends by SMTP. Without `smtpUrl` (never in production) mails are kept where the one who tries the service can read them. */
export function createMail(smtpUrl: string | null, from: string, mailbox: Mailbox): Mail {
  if (smtpUrl === null) return { send: (email) => mailbox.keep(email) };
  const transport = import('nodemailer').then(({ createTransport }) => createTransport(smtpUrl, { from }));
  return {
    async send(email) {
      const { to, subject, text: words } = email;
      await (await transport).sendMail({ to, subject, text: words, html: emailHtml(email) });
    },
  };
}

const mailStyle = 'font:15px/1.5 system-ui,sans-serif;color:#1c1a17;max-width:34em;margin:0 auto;padding:24px';
const buttonStyle =
  'display:inline-block;padding:9px 16px;border-radius:7px;background:#0b6b5d;color:#ffffff;text-decoration:none';

/** The same words for readers that show HTML: a line that is a link is a button, and nothing is fetched. */
export const emailHtml = ({ subject, text: words, button = subject }: Email): string => {
  const paragraphs = words
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      const link = /^https?:\/\/\S+$/.test(paragraph) ? text(paragraph) : null;
      return link === null
        ? `<p>${text(paragraph).replaceAll('\n', '<br>')}</p>`
        : `<p><a href="${link}" style="${buttonStyle}">${text(button)}</a></p><p style="font-size:12px">${link}</p>`;
    });
  return `<!doctype html><html lang="en"><body style="background:#fbfaf8"><div style="${mailStyle}"><p><strong>Atelier</strong></p>${paragraphs.join('')}</div></body></html>`;
};

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
