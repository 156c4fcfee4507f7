import { emojiParts } from '../../contract/shapes.ts';
import { text } from '../lib/html.ts';

/** A page of the service: a button in HTML, an address in the text. */
type Link = { path: string; button: string };

/** Links lead only to pages of the service. Anything else that looks like a link stays text. */
export type Letter = { to: string; subject: string; body: readonly (string | Link)[] };

export type Email = { id: string; to: string; subject: string; text: string; html: string };

export function writeEmail(id: string, publicUrl: string, { to, subject, body }: Letter): Email {
  const paragraphs = body.map((part) => (typeof part === 'string' ? oneLine(part) : link(publicUrl, part)));
  return {
    id,
    to,
    subject,
    text: `${paragraphs.map((part) => (typeof part === 'string' ? part : part.url)).join('\n\n')}\n`,
    html: htmlOf(paragraphs),
  };
}

const link = (publicUrl: string, { path, button }: Link) => ({ url: publicUrl + path, button });

const invisible = new RegExp(`(?![${emojiParts}])[\\p{Cf}\\p{Default_Ignorable_Code_Point}]`, 'gu');
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Text typed by people cannot start a paragraph or change the direction of writing. */
const oneLine = (words: string) => words.replaceAll(invisible, '').replaceAll(breaks, ' ').trim();

/** Removes anything that mail programs would turn into a link. */
export const withoutLinks = (title: string): string =>
  title.replace(/\S+/gu, (word) => (/:\/\/|www\./iu.test(word) ? '…' : word));

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
const buttonStyle =
  'display:inline-block;padding:9px 16px;border-radius:7px;background:#0b6b5d;color:#ffffff;text-decoration:none';

/** The HTML form. It loads nothing. */
function htmlOf(blocks: readonly (string | { url: string; button: string })[]): string {
  const paragraphs = blocks.map((part) =>
    typeof part === 'string'
      ? `<p>${text(part)}</p>`
      : `<p><a href="${text(part.url)}" style="${buttonStyle}">${text(part.button)}</a></p><p style="font-size:12px">${text(part.url)}</p>`,
  );
  return `<!doctype html><html lang="en"><body style="background:#fbfaf8"><div style="${mailStyle}"><p><strong>Atelier</strong></p>${paragraphs.join('')}</div></body></html>`;
}
