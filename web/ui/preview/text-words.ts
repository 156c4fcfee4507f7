import { controlCharacters, type DecodedText, encodings, linesOf } from '../../../contract/files/decode-text.ts';

const sayNumber = (count: number, singular: string, plural: string) =>
  count === 1 ? `1 ${singular}` : `${count.toLocaleString()} ${plural}`;

/** What is not shown of a text as it was written, in sentences. */
export function sayLimits({ text, encoding, unreadable, controls }: DecodedText, isWhole: boolean): string[] {
  const lines = linesOf(text);
  const isLong = lines.some(({ length }) => length > mostOfLine);
  return [
    unreadable > 0 && `${sayNumber(unreadable, 'place', 'places')} cannot be read as ${encodings[encoding]}.`,
    controls > 0 &&
      `${sayNumber(controls, 'control character is', 'control characters are')} shown as a sign; the file may hold binary data.`,
    isLong && `Of each line, ${mostOfLine.toLocaleString()} characters are shown.`,
    !isWhole &&
      `${lines.length === 1 ? 'Only the beginning is' : `The first ${lines.length.toLocaleString()} lines are`} shown. Download the file to see all of it.`,
  ].filter((words) => words !== false);
}

/** Characters of a line; browsers take long to draw more. */
export const mostOfLine = 20_000;

/** A control character as a sign, because browsers show nothing or a box. */
export const withSigns = (text: string): string =>
  text.replace(controlCharacters, (sign) => String.fromCharCode(0x2400 + (sign.charCodeAt(0) % 0x80)));

/** Lines as a page shows them. */
export const shownLines = (text: string): string[] =>
  linesOf(withSigns(text)).map((line) => (line.length > mostOfLine ? `${line.slice(0, mostOfLine)}…` : line));
