import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { cleanKey } from '../generated/typed.ts';
import { type Io, UsageError } from './command.ts';

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

const visible = (text: string): number => text.replaceAll(/\u001b\[\d+m/g, '').length;

/** Broken at words, where a terminal would break inside them. What goes on stands below the last column. */
function wrapped(line: string, columns: number): string {
  if (visible(line) <= columns) return line;
  const starts = [...line.matchAll(/ {2,}(?=\S)/g)].map(({ index, 0: gap }) => visible(line.slice(0, index + gap.length)));
  const indent = ' '.repeat(starts.filter((start) => start <= columns - 24).at(-1) ?? 0);
  const lines = [''];
  for (const word of line.split(/(?<=\S)(?= )/)) {
    if (lines.at(-1) !== '' && visible(`${lines.at(-1)}${word}`) > columns) lines.push(indent + word.trimStart());
    else lines[lines.length - 1] += word;
  }
  return lines.join('\n');
}

function write(io: Io, to: Io['stdout'], text: string): void {
  const { isTTY, columns = 0 } = to;
  const shown = printable(io, text);
  const fits = !isTTY || columns < 20;
  to.write(`${fits ? shown : shown.split('\n').map((line) => wrapped(line, columns)).join('\n')}\n`);
}

/** Only results go to standard output. */
export const print = (io: Io, text: string): void => write(io, io.stdout, text);

/** Messages go to standard error. */
export const printMessage = (io: Io, text: string): void => write(io, io.stderr, text);

export const jsonOf = (io: Io, value: unknown): string => `${escaped(io, JSON.stringify(value))}\n`;
export const printJson = (io: Io, value: unknown): void => void io.stdout.write(jsonOf(io, value));

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

/** A terminal breaks a long key into lines. Of other text, the first line. */
const secretOf = (typed: string): string => cleanKey(typed).replace(/[\r\n\u0004][^]*$/, '').trim();

/** Hidden in a terminal; otherwise from standard input. */
export async function askSecret({ stdin, stderr }: Io, question: string): Promise<string> {
  if (!stdin.isTTY) return secretOf(await text(stdin));
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
  return secretOf(typed);
}

/** Without a terminal, `--yes` is required. */
export async function confirm(io: Io, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!isInteractive(io)) throw new UsageError('This cannot be undone.', 'Add --yes to do it without being asked.');
  const answer = await ask(io, `${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw new UsageError('Nothing was done.', 'Answer y, or add --yes.');
}
