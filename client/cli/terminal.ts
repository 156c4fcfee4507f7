import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { AtelierError } from '../error.ts';
import { UsageError } from './exit-codes.ts';

/** Control characters of other people's texts stay out of a terminal. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, (sign) => (sign === '\n' ? sign : ' '));

/** Results go to standard output, and nothing else does. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Words for a person go to standard error. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`);

export const printJson = (value: unknown): void => print(JSON.stringify(value));

const colours = process.stdout.isTTY && !process.env['NO_COLOR'];
export const bold = (text: string): string => (colours ? styleText('bold', text) : text);

/** Rows in columns as wide as their widest cell. */
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

/** Typed without being shown on a terminal; else the first line of standard input. */
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

/** Asks on a terminal before something that cannot be undone; elsewhere `--yes` says so. */
export async function confirm(question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!isInteractive()) throw new UsageError('This cannot be undone.', 'Add --yes to do it without being asked.');
  const answer = await ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw new UsageError('Nothing was done.', 'Answer y, or add --yes.');
}

/** What went wrong, on standard error: for people in lines, with `--json` as the error object of the API. */
export function showError(error: unknown, json: boolean): void {
  if (error instanceof AtelierError) {
    const { code, message, action, requestId: request_id, details, retryAfterSeconds: retry_after_seconds } = error;
    if (json) return say(JSON.stringify({ error: { code, message, action, request_id, details, retry_after_seconds } }));
    say(`error: ${printable(message)}`);
    for (const { location, message } of details) say(`  ${printable(`${location}: ${message}`)}`);
    say(`  code        ${code}`);
    if (action) say(`  next        ${printable(action)}`);
    if (request_id) say(`  request id  ${request_id}`);
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  const action = error instanceof UsageError ? error.action : null;
  if (json) return say(JSON.stringify({ error: { code: 'usage', message, action } }));
  say(`error: ${message}`);
  if (action) say(`  next  ${action}`);
}
