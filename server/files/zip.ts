import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export type ZipEntry = { name: string; bytes: number; at: Date };

/** From this size of the central directory on, yazl knows the total size only of the long form (zip64). */
const longList = 0xff_ff;
/** The most bytes of an entry in the central directory, besides its name. */
const ofEntry = 83;

/**
 * A zip of stored entries, whose number of bytes is known at once. Each entry is opened when the one before
 * it is read. Any fault destroys the stream, and the end of the stream destroys what is open.
 */
export function zipOf<Entry extends ZipEntry>(entries: readonly Entry[], open: (entry: Entry) => Promise<Readable>) {
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  let current: Readable | undefined;
  const fail = (error: Error) => void stream.destroy(error);
  zip.on('error', fail);
  stream.on('error', () => {}).once('close', () => current?.destroy());

  async function begin(entry: Entry, start: (error: null, bytes: Readable) => void): Promise<void> {
    current = await open(entry);
    current.once('error', fail);
    if (stream.destroyed) current.destroy();
    else start(null, current);
  }
  for (const entry of entries)
    zip.addReadStreamLazy(entry.name, { size: entry.bytes, mtime: entry.at, compress: false }, (start) => {
      begin(entry, start).catch(fail);
    });
  const list = entries.reduce((sum, { name }) => sum + ofEntry + Buffer.byteLength(name), 0);
  let bytes = 0;
  const count: (total: number) => void = (total) => (bytes = total);
  zip.end({ forceZip64Format: list >= longList, comment: '' }, count as () => void);
  return { bytes, stream };
}

export const bytesOfZip = (entries: readonly ZipEntry[]): number => zipOf(entries, () => new Promise(() => {})).bytes;
