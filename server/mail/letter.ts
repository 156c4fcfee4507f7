import { emojiParts } from '../../contract/shapes.ts';
import { text } from '../lib/html.ts';

/** A page of ours: its button in the HTML form, its address in the text. */
type Link = { path: string; button: string };

/** What a mail says, paragraph by paragraph. Links lead to pages of ours alone: whatever else looks like one stays text. */
export type Letter = { to: string; subject: string; body: readonly (string | Link)[] };

export type Email = { id: string; to: string; subject: string; text: string; html: string };

export function writeEmail(id: string, publicUrl: string, { to, subject, body }: Letter): Email {
  const parts = body.map((part) => (typeof part === 'string' ? oneLine(part) : link(publicUrl, part)));
  return {
    id,
    to,
    subject,
    text: `${parts.map((part) => (typeof part === 'string' ? part : part.url)).join('\n\n')}\n`,
    html: htmlOf(parts),
  };
}

const link = (publicUrl: string, { path, button }: Link) => ({ url: publicUrl + path, button });

const invisible = new RegExp(`(?![${emojiParts}])[\\p{Cf}\\p{Default_Ignorable_Code_Point}]`, 'gu');
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Whoever typed a part of it begins no paragraph of their own, and turns no text around. */
const oneLine = (words: string) => words.replaceAll(invisible, '').replaceAll(breaks, ' ').trim();

/** A mail links to this service alone; programs for mail make links of addresses. */
export const withoutLinks = (title: string): string =>
  title.replace(/\S+/gu, (word) => (/:\/\/|www\./iu.test(word) ? '…' : word));

const longestSubject = 60;

/** A fixed text and the title of a job. */
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

/** The same words for readers that show HTML. Nothing is fetched. */
function htmlOf(parts: readonly (string | { url: string; button: string })[]): string {
  const paragraphs = parts.map((part) =>
    typeof part === 'string'
      ? `<p>${text(part)}</p>`
      : `<p><a href="${text(part.url)}" style="${buttonStyle}">${text(part.button)}</a></p><p style="font-size:12px">${text(part.url)}</p>`,
  );
  return `<!doctype html><html lang="en"><body style="background:#fbfaf8"><div style="${mailStyle}"><p><strong>Atelier</strong></p>${paragraphs.join('')}</div></body></html>`;
}
