import { atomsOf, inside, textAt } from './atoms.ts';
import { nameOfCodec } from './codecs.ts';

/** What the index of a film says. Null for what it does not say, or what this page cannot read. */
export type FilmIndex = {
  /** "H.265", "ProRes 422 HQ", "unknown codec"; null for a film without a picture. */
  picture: string | null;
  sound: string | null;
  /** When each frame begins, in seconds of playing time, and when the last one ends. */
  frames: Float64Array | null;
  timecode: Timecode | null;
};

/** `start` is the number of the first frame; `nominal` numbers belong to a second. */
export type Timecode = { start: number; rate: number; nominal: number; isDropFrame: boolean };

/** The first number of a timecode track lies elsewhere in the file, at `position`. */
type TimecodeTrack = Omit<Timecode, 'start'> & { position: number };

/** Four hours at 60 frames a second. */
const mostFrames = 864_000;

/** Reads the body of a `moov`. Throws a RangeError if one of its tables ends too early. */
export function parseIndex(moov: DataView): Omit<FilmIndex, 'timecode'> & { timecodeTrack: TimecodeTrack | null } {
  const tracks = [...atomsOf(moov)].filter(({ type }) => type === 'trak').map(({ body }) => body);
  const trackOf = (kind: string) =>
    tracks.find((track) => {
      const handler = inside(track, 'mdia', 'hdlr');
      return handler && textAt(handler, 8) === kind;
    });
  const [picture, sound, code] = [trackOf('vide'), trackOf('soun'), trackOf('tmcd')];
  const movie = inside(moov, 'mvhd');
  return {
    picture: picture ? (codecOf(picture) ?? 'unknown codec') : null,
    sound: sound ? codecOf(sound) : null,
    frames: picture && movie ? framesOf(picture, timescaleOf(movie)) : null,
    timecodeTrack: code ? timecodeOf(code) : null,
  };
}

const tableOf = (track: DataView, name: string) => inside(track, 'mdia', 'minf', 'stbl', name);

/** The header is `mvhd` or `mdhd`. */
const timescaleOf = (header: DataView): number => header.getUint32(header.getUint8(0) === 1 ? 20 : 12);

function codecOf(track: DataView): string | null {
  const table = tableOf(track, 'stsd');
  return table ? nameOfCodec(textAt(table, 12), streamTypeIn(table)) : null;
}

/** The kind of an MPEG stream. The code of its track names only the family. */
function streamTypeIn(table: DataView): number | null {
  for (let at = 16; at < Math.min(table.byteLength - 32, 400); at++) {
    if (textAt(table, at) !== 'esds') continue;
    const stream = afterLength(table, at + 9) + 3;
    return table.getUint8(afterLength(table, stream + 1));
  }
  return null;
}

/** The length of a descriptor has one to four bytes. */
function afterLength(view: DataView, at: number): number {
  let end = at;
  while (end < at + 3 && view.getUint8(end) >= 128) end++;
  return end + 1;
}

/** Null without a table of frames, and for films that several edits cut. */
function framesOf(track: DataView, movieScale: number): Float64Array | null {
  const [header, durations, shifts] = [inside(track, 'mdia', 'mdhd'), tableOf(track, 'stts'), tableOf(track, 'ctts')];
  const edit = editOf(inside(track, 'edts', 'elst'));
  if (!header || !durations || !edit) return null;
  const scale = timescaleOf(header);
  let count = 0;
  for (const run of runsOf(durations)) count += run.count;
  if (count === 0 || count > mostFrames || scale === 0 || movieScale === 0) return null;
  const times = new Float64Array(count);
  let [at, time, length] = [0, 0, 0];
  for (const run of runsOf(durations)) {
    length = run.value;
    for (const next = at + run.count; at < next; time += length) times[at++] = time;
  }
  at = 0;
  for (const run of shifts ? runsOf(shifts) : [])
    for (const next = Math.min(at + run.count, count); at < next; at++) times[at] = (times[at] ?? 0) + run.value;
  times.sort();
  const shown = times.filter((start) => start >= edit.from && start < edit.from + (edit.length / movieScale) * scale);
  const starts = new Float64Array(shown.length + 1);
  starts.set(shown);
  starts[shown.length] = (shown.at(-1) ?? 0) + length;
  return starts.map((start) => (start - edit.from) / scale + edit.delay / movieScale);
}

/** One edit may skip the beginning, and an empty one before it may delay all. */
function editOf(list: DataView | undefined): { from: number; length: number; delay: number } | null {
  const edits = list ? editsOf(list) : [];
  const delay = edits[0]?.from === -1 ? (edits.shift()?.length ?? 0) : 0;
  const [edit, another] = edits;
  return another ? null : { from: edit?.from ?? 0, length: edit?.length || Infinity, delay };
}

const editsOf = (list: DataView) =>
  Array.from({ length: Math.min(list.getUint32(4), 3) }, (_, index) =>
    list.getUint8(0) === 1
      ? { length: Number(list.getBigUint64(8 + index * 20)), from: Number(list.getBigInt64(16 + index * 20)) }
      : { length: list.getUint32(8 + index * 12), from: list.getInt32(12 + index * 12) },
  );

/** Runs of equal values in `stts` and `ctts`. */
function* runsOf(table: DataView): Generator<{ count: number; value: number }> {
  for (let left = table.getUint32(4), at = 8; left > 0; left--, at += 8)
    yield { count: table.getUint32(at), value: table.getInt32(at + 4) };
}

function timecodeOf(track: DataView): TimecodeTrack | null {
  const [table, offsets, longOffsets] = ['stsd', 'stco', 'co64'].map((name) => tableOf(track, name));
  if (!table) return null;
  const [scale, length, nominal] = [table.getUint32(32), table.getUint32(36), table.getUint8(40)];
  const position = offsets ? offsets.getUint32(8) : Number(longOffsets?.getBigUint64(8) ?? 0);
  if (scale === 0 || length === 0 || nominal === 0 || position === 0) return null;
  return { rate: scale / length, nominal, isDropFrame: (table.getUint32(28) & 1) === 1, position };
}
