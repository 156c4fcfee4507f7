import { atomAt, textAt } from './atoms.ts';
import { nameOfWav } from './codecs.ts';
import { type FilmIndex, parseIndex } from './film-index.ts';

/** Larger indexes are not fetched. In bytes. */
const largest = 20_000_000;
/** What one request asks for, unless the index is larger. */
const piece = 65_536;
/** How many atoms are read before the search for the index ends. */
const most = 100;

type ReadBytes = (from: number, length: number) => Promise<DataView>;

/** Reads the index of an MP4 or QuickTime film, wherever it lies, or the head of a WAV. Null without one. */
export async function readFilm(read: ReadBytes): Promise<FilmIndex | null> {
  const bytes = await read(0, piece);
  if (textAt(bytes, 0) === 'RIFF') return { ...nothing, sound: nameOfWav(bytes.getUint16(20, true)) };
  const moov = await findIndex(read, bytes);
  if (!moov) return null;
  const { timecodeTrack: track, ...index } = parseIndex(moov);
  const start = track && (await read(track.position, 4)).getUint32(0);
  return { ...index, timecode: track && start !== null ? { ...track, start } : null };
}

const nothing: FilmIndex = { picture: null, sound: null, frames: null, timecode: null };

async function findIndex(read: ReadBytes, beginning: DataView): Promise<DataView | null> {
  let [at, start, bytes] = [0, 0, beginning];
  for (let count = 0; count < most; count++) {
    if (at + 16 > start + bytes.byteLength) {
      bytes = await read(at, piece);
      start = at;
    }
    if (bytes.byteLength < 8) return null;
    const { type, size, header } = atomAt(bytes, at - start);
    if (size < header) return null;
    if (type === 'moov') {
      if (size > largest) return null;
      const whole = at + size <= start + bytes.byteLength ? bytes : await read(at, size);
      const from = whole === bytes ? at - start : 0;
      return new DataView(whole.buffer, whole.byteOffset + from + header, size - header);
    }
    at += size;
  }
  return null;
}

/** Fetches a part of a file. Stops if the server would send all of it. */
export const readerOf =
  (url: string, signal?: AbortSignal): ReadBytes =>
  async (from, length) => {
    const leave = new AbortController();
    const answer = await fetch(url, {
      headers: { range: `bytes=${from}-${from + length - 1}` },
      signal: signal ? AbortSignal.any([signal, leave.signal]) : leave.signal,
    });
    if (answer.status === 206) return new DataView(await answer.arrayBuffer());
    leave.abort();
    throw new Error(`The file answered ${answer.status}.`);
  };
