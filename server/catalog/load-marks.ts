import { createHash } from 'node:crypto';
import type { Picture } from './catalog.ts';
import { pictureName, type StudioFile } from './catalog-file.ts';
import { cleanSvg } from './clean-svg.ts';
import { type Documents, placeOf } from './documents.ts';
import type { Fault } from './yaml-file.ts';

export type LoadedMark = { path: string; picture: Picture };
export type Cleaned = { file: string; taken_out: string[] };

const namedPicture = new RegExp(pictureName);
/** bytes */
const largest = 100_000;

/** Reads the pictures that `studio.yaml` names into `marks`. Accepts anything, even a wrong shape. */
export function* markFaults(
  documents: Documents,
  content: StudioFile | null,
  marks: Map<string, LoadedMark>,
  cleaned: Cleaned[],
): Generator<Fault> {
  for (const field of ['mark', 'mark_dark', 'icon'] as const) {
    const name = content?.[field];
    if (typeof name !== 'string' || !namedPicture.test(name)) continue;
    const mark = loadMark(documents, name, cleaned);
    if (typeof mark === 'string') yield { path: [field], message: mark };
    else marks.set(field, mark);
  }
  if (content?.mark_dark && !content.mark) yield { path: ['mark_dark'], message: 'needs a mark for light ground, too' };
}

/** A picture of the studio, or why it cannot be used. */
function loadMark(documents: Documents, name: string, cleaned: Cleaned[]): LoadedMark | string {
  const bytes = documents.get(name);
  if (!bytes) return `${name} is not beside this file`;
  if (bytes.length > largest) return `${name} must have at most 100 kB`;
  if (name.endsWith('.png')) return isPng(bytes) ? markOf('png', 'image/png', bytes) : `${name} is no PNG`;
  const text = textOf(bytes);
  if (text === null) return `${name} is not in UTF-8`;
  const result = cleanSvg(text);
  if ('offset' in result) {
    const { line, column } = placeOf(text, result.offset);
    return `${name}:${line}:${column} ${result.message}`;
  }
  if (result.takenOut.length > 0 && !cleaned.some(({ file }) => file === name))
    cleaned.push({ file: name, taken_out: result.takenOut });
  return markOf('svg', 'image/svg+xml', Buffer.from(result.svg));
}

/** What a path names never changes, so browsers keep it. */
const markOf = (extension: string, contentType: string, bytes: Buffer): LoadedMark => ({
  path: `/catalog/pictures/${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.${extension}`,
  picture: { contentType, bytes },
});

const isPng = (bytes: Buffer) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
