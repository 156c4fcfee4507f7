import { emojiParts } from '../../contract/shapes.ts';
import { defaultName } from '../../contract/studio/plain-studio.ts';
import type { Studio } from '../../contract/studio/studio.ts';
import type { Db } from '../db/pool.ts';
import { linksOf, text } from '../lib/html.ts';
import type { MailOf } from './unsubscribe-token.ts';

/** A page of the service: a button in HTML, an address in the text. */
type Link = { path: string; button: string };

/** Links lead only to pages of the service. Anything else that looks like a link stays text. */
export type Letter = {
  to: string;
  subject: string;
  body: readonly (string | Link)[];
  /**
   * For mails that a person can unsubscribe from: its kind. It is sent only if the person still wants that
   * kind.
   */
  of?: MailOf;
};

export type Email = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The name beside the address it comes from; null for the one that the configuration has. */
  senderName: string | null;
  /** An address that ends such mails by a POST (RFC 8058); null for mails that nobody can end. */
  unsubscribe: string | null;
};

/** `endPath`: the page that ends such mails. */
export function writeEmail(
  id: string,
  publicUrl: string,
  studio: Studio,
  { to, subject, body }: Letter,
  endPath: string | null = null,
): Email {
  const paragraphs = body.map((part) => (typeof part === 'string' ? oneLine(part) : link(publicUrl, part)));
  const end = endPath === null ? null : publicUrl + endPath;
  return {
    id,
    to,
    subject,
    text: `${[...paragraphs.map((part) => (typeof part === 'string' ? part : part.url)), ...textFoot(studio, end)].join('\n\n')}\n`,
    html: htmlOf(studio, paragraphs, end),
    senderName: studio.name === defaultName ? null : studio.name,
    unsubscribe: end,
  };
}

const link = (publicUrl: string, { path, button }: Link) => ({ url: publicUrl + path, button });

const invisible = new RegExp(`(?![${emojiParts}])[\\p{Cf}\\p{Default_Ignorable_Code_Point}]`, 'gu');
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Text typed by people cannot start a paragraph or change the direction of writing. */
const oneLine = (words: string) => words.replaceAll(invisible, '').replaceAll(breaks, ' ').trim();

/** Mail programs make links of addresses. They are left out; domains without a scheme get a space. */
export const withoutLinks = (words: string): string =>
  words
    .replace(/\S+/gu, (word) => (/:\/\/|www\./iu.test(word) ? '…' : word))
    .replace(/(?<=[\p{L}\p{N}-])[.。．｡](?=\p{L}[\p{L}\p{N}-])/gu, '. ');

const longestSubject = 60;

export function subjectAbout(words: string, title: string): string {
  const clean = withoutLinks(oneLine(title)).replaceAll(/\s+/g, ' ');
  if (clean === '') return words;
  const whole = [...`${words}: ${clean}`];
  return whole.length <= longestSubject
    ? whole.join('')
    : `${whole
        .slice(0, longestSubject - 1)
        .join('')
        .trimEnd()}…`;
}

const mailStyle = 'font:15px/1.5 system-ui,sans-serif;color:#1c1a17;max-width:34em;margin:0 auto;padding:24px';
const buttonStyle = 'display:inline-block;padding:9px 16px;border-radius:7px;color:#ffffff;text-decoration:none';
const smallStyle = 'font-size:12px;color:#57524a';

/** Who sent it, where to ask, and the studio's legal lines. Nothing where the studio has set none of them. */
function textFoot(studio: Studio, end: string | null): string[] {
  const { name, mail_footer, support } = studio;
  const links = linksOf(studio).map(({ words, url }) => `${words}: ${url.replace(/^mailto:/, '')}`);
  if (support.url && support.email) links.unshift(`Support: ${support.email}`);
  const lines = [...(name === defaultName ? [] : [name]), ...links, ...(mail_footer ? [mail_footer] : [])];
  if (end !== null) lines.push(`No more mails of this kind: ${end}`);
  return lines.length > 0 ? [`-- \n${lines.join('\n')}`] : [];
}

function htmlFoot(studio: Studio, end: string | null): string {
  const { mail_footer, support } = studio;
  const links = linksOf(studio);
  if (support.url && support.email) links.unshift({ words: support.email, url: `mailto:${support.email}` });
  if (end !== null) links.push({ words: 'No more mails of this kind', url: end });
  const shown = links.map(({ words, url }) => `<a href="${text(url)}" style="color:#57524a">${text(words)}</a>`);
  const lines = [...(shown.length > 0 ? [shown.join(' · ')] : []), ...(mail_footer ? [text(mail_footer)] : [])];
  return lines.map((line) => `<p style="${smallStyle}">${line}</p>`).join('');
}

/** The HTML form. It loads nothing. */
function htmlOf(
  studio: Studio,
  blocks: readonly (string | { url: string; button: string })[],
  end: string | null,
): string {
  const paragraphs = blocks.map((part) =>
    typeof part === 'string'
      ? `<p>${text(part)}</p>`
      : `<p><a href="${text(part.url)}" style="${buttonStyle};background:${studio.accent ?? '#0b6b5d'}">${text(part.button)}</a></p><p style="font-size:12px">${text(part.url)}</p>`,
  );
  return `<!doctype html><html lang="en"><body style="background:#fbfaf8"><div style="${mailStyle}"><p><strong>${text(studio.name)}</strong></p>${paragraphs.join('')}${htmlFoot(studio, end)}</div></body></html>`;
}

/** Stored with the mail. Texts, names and links are read when it is sent. */
export type About = { userId?: string; address?: string; data?: Record<string, string | number> };

export type MailKind<Fields extends About = About> = {
  /** Hours after which the mail is useless. */
  hours: number;
  /** Limited per address and hour, because anybody can trigger it. */
  counted: boolean;
  /** Null if the mail is no longer needed. */
  compose(db: Db, about: Fields, studio: Studio): Promise<Letter | null>;
};

/** Hours for which an unavailable mail server is retried. */
export const patience = 17;
