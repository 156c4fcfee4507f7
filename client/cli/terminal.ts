import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { AtelierError } from '../error.ts';
import { UsageError } from './exit-codes.ts';

const colours = process.stdout.isTTY && !process.env['NO_COLOR'];
export const bold = (text: string): string => (colours ? styleText('bold', printable(text)) : text);

/** Control characters, and those that change how text reads. Bold text is kept. */
const signs = /\u001b\[1m[^\p{Cc}\p{Cf}]*\u001b\[22m|[\p{Cc}\p{Cf}]/gu;
const isKept = (sign: string): boolean => sign === '\n' || sign === '\t' || (colours && sign.length > 2);

/** Answers of a service are untrusted and must not control the terminal. */
export const printable = (text: string): string => text.replace(signs, (sign) => (isKept(sign) ? sign : ' '));

export const escaped = (json: string): string =>
  json.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => (isKept(sign) ? sign : escapeOf(sign)));
const escapeOf = (sign: string): string =>
  Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** Only results go to standard output. */
export const print = (text: string): void => void process.stdout.write(`${printable(text)}\n`);

/** Messages go to standard error. */
const writeMessage = (text: string): void => void process.stderr.write(`${printable(text)}\n`);
export const printMessage = writeMessage;

export const printJson = (value: unknown): void => print(escaped(JSON.stringify(value)));

export function printTable(rows: string[][]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  for (const row of rows) print(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd());
}

export const isInteractive = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** Hidden in a terminal; otherwise the first line of standard input. */
export async function askSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    let text = '';
    for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
    return text.split('\n')[0]?.trim() ?? '';
  }
  process.stderr.write(question);
  process.stdin.setRawMode(true).setEncoding('utf8').resume();
  let typed = '';
  try {
    for await (const chunk of process.stdin) {
      if (chunk.includes('\u0003')) throw new UsageError('Canceled.');
      typed += chunk;
      if (/[\r\n\u0004]/.test(typed)) break;
      typed = typed.replace(/.\u007f|^\u007f/g, '');
    }
  } finally {
    process.stdin.setRawMode(false).pause();
    process.stderr.write('\n');
  }
  return typed.replace(/[\r\n\u0004][^]*$/, '').trim();
}

/** Without a terminal, `--yes` is required. */
export async function confirm(question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!isInteractive()) throw new UsageError('This cannot be undone.', 'Add --yes to do it without being asked.');
  const answer = await ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw new UsageError('Nothing was done.', 'Answer y, or add --yes.');
}

const keys = /[A-Za-z]{2,8}_[0-9a-z]{8}_[0-9A-Za-z]{8,}|whsec_[\w+/=]{8,}/g;

/** Errors stand in logs and on screens, and may repeat what was typed. */
const withoutKeys = (text: string): string => {
  const own = process.env['ATELIER_KEY'] ?? '';
  return (own.length >= 8 ? text.replaceAll(own, '[key]') : text).replace(keys, '[key]');
};

/** Readable lines, or with `--json` the API's error object. */
export function showError(error: unknown, json: boolean): void {
  const printMessage = (text: string) => writeMessage(withoutKeys(text));
  if (error instanceof AtelierError) {
    const { code, message, action, requestId: request_id, details, retryAfterSeconds: retry_after_seconds } = error;
    if (json) return printMessage(escaped(JSON.stringify({ error: { code, message, action, request_id, details, retry_after_seconds } })));
    printMessage(`error: ${message}`);
    for (const { location, message, url, resets_at: resetsAt } of details) {
      // The message of a refused body is its first detail.
      if (error.message !== `${location}: ${message}`) printMessage(`  ${location}: ${message}`);
      if (url) printMessage(`  page        ${url}`);
      if (resetsAt) printMessage(`  resets at   ${resetsAt}`);
    }
    printMessage(`  code        ${code}`);
    if (action) printMessage(`  next        ${action}`);
    if (request_id) printMessage(`  request id  ${request_id}`);
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  const action = error instanceof UsageError ? error.action : null;
  if (json) return printMessage(escaped(JSON.stringify({ error: { code: 'usage', message, action } })));
  printMessage(`error: ${message}`);
  if (action) printMessage(`  next  ${action}`);
}
