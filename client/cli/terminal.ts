import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { AtelierError } from '../error.ts';
import type { Io } from './command.ts';
import { UsageError } from './exit-codes.ts';

const hasColours = ({ stdout, env }: Io): boolean => stdout.isTTY === true && !env['NO_COLOR'];
export const bold = (io: Io, text: string): string =>
  hasColours(io) ? `\u001b[1m${printable(io, text)}\u001b[22m` : text;

/** Control characters, and those that change how text reads. Bold text is kept. */
const signs = /\u001b\[1m[^\p{Cc}\p{Cf}]*\u001b\[22m|[\p{Cc}\p{Cf}]/gu;
const isKept = (io: Io, sign: string): boolean => sign === '\n' || sign === '\t' || (sign.length > 2 && hasColours(io));

/** Answers of a service are untrusted and must not control the terminal. */
export const printable = (io: Io, text: string): string => text.replace(signs, (sign) => (isKept(io, sign) ? sign : ' '));

export const escaped = (io: Io, json: string): string =>
  json.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => (isKept(io, sign) ? sign : escapeOf(sign)));
const escapeOf = (sign: string): string =>
  Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** Only results go to standard output. */
export const print = (io: Io, text: string): void => void io.stdout.write(`${printable(io, text)}\n`);

/** Messages go to standard error. */
export const printMessage = (io: Io, text: string): void => void io.stderr.write(`${printable(io, text)}\n`);

export const printJson = (io: Io, value: unknown): void => print(io, escaped(io, JSON.stringify(value)));

export function printTable(io: Io, rows: string[][]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  for (const row of rows) print(io, row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd());
}

export const isInteractive = ({ stdin, stderr }: Io): boolean => Boolean(stdin.isTTY && stderr.isTTY);

export async function ask({ stdin, stderr }: Io, question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** Hidden in a terminal; otherwise the first line of standard input. */
export async function askSecret({ stdin, stderr }: Io, question: string): Promise<string> {
  if (!stdin.isTTY) return (await text(stdin)).split('\n')[0]?.trim() ?? '';
  stderr.write(question);
  stdin.setRawMode?.(true);
  let typed = '';
  try {
    for await (const chunk of stdin.setEncoding('utf8')) {
      if (String(chunk).includes('\u0003')) throw new UsageError('Canceled.');
      typed += String(chunk);
      if (/[\r\n\u0004]/.test(typed)) break;
      typed = typed.replace(/.\u007f|^\u007f/g, '');
    }
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause();
    stderr.write('\n');
  }
  return typed.replace(/[\r\n\u0004][^]*$/, '').trim();
}

/** Without a terminal, `--yes` is required. */
export async function confirm(io: Io, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!isInteractive(io)) throw new UsageError('This cannot be undone.', 'Add --yes to do it without being asked.');
  const answer = await ask(io, `${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw new UsageError('Nothing was done.', 'Answer y, or add --yes.');
}

const keys = /[A-Za-z]{2,8}_[0-9a-z]{8}_[0-9A-Za-z]{8,}|whsec_[\w+/=]{8,}/g;

/** Errors stand in logs and on screens, and may repeat what was typed. */
const withoutKeys = ({ env }: Io, text: string): string => {
  const own = env['ATELIER_KEY'] ?? '';
  return (own.length >= 8 ? text.replaceAll(own, '[key]') : text).replace(keys, '[key]');
};

/** Readable lines, or with `--json` the API's error object. */
export function showError(io: Io, error: unknown, json: boolean): void {
  const say = (text: string) => printMessage(io, withoutKeys(io, text));
  if (error instanceof AtelierError) {
    const { code, message, action, requestId: request_id, details, retryAfterSeconds: retry_after_seconds } = error;
    if (json) return say(escaped(io, JSON.stringify({ error: { code, message, action, request_id, details, retry_after_seconds } })));
    say(`error: ${message}`);
    for (const { location, message, url, resets_at: resetsAt } of details) {
      // The message of a refused body is its first detail.
      if (error.message !== `${location}: ${message}`) say(`  ${location}: ${message}`);
      if (url) say(`  page        ${url}`);
      if (resetsAt) say(`  resets at   ${resetsAt}`);
    }
    say(`  code        ${code}`);
    if (action) say(`  next        ${action}`);
    if (request_id) say(`  request id  ${request_id}`);
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  const action = error instanceof UsageError ? error.action : null;
  if (json) return say(escaped(io, JSON.stringify({ error: { code: 'usage', message, action } })));
  say(`error: ${message}`);
  if (action) say(`  next  ${action}`);
}
