import { type RawBuilder, sql } from 'kysely';
import { isFilm, isShown } from '../../../contract/files/file-types.ts';
import { mostSide } from '../draw-poster.ts';

/** `ffmpeg`: the program that reads films, or null. */
export type FilmReading = { ffmpeg: string | null };

export const isFilmRow: RawBuilder<boolean> = sql`(content_type like 'video/%' or content_type = 'application/mxf')`;

export const canBeRead = ({ ffmpeg }: FilmReading, { content_type }: { content_type: string }): boolean =>
  ffmpeg !== null && isFilm(content_type);

/** A new film waits until somebody has looked whether browsers can play it. */
export const newViewing = (reading: FilmReading, file: { content_type: string }) =>
  canBeRead(reading, file) ? { viewing_status: 'pending' as const, viewing_due_at: sql<Date>`now()` } : {};

/** The formats that are read, with how their files begin. None of them names other files. */
const beginnings: [format: string, ...[at: number, texts: string[]][]][] = [
  ['mov', [4, ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot']]],
  ['matroska', [0, ['\x1a\x45\xdf\xa3']]],
  ['avi', [0, ['RIFF']], [8, ['AVI ']]],
  ['mxf', [0, ['\x06\x0e\x2b\x34']]],
  ['mpegts', [0, ['G']], [188, ['G']]],
  ['mpegts', [4, ['G']], [196, ['G']]],
  ['mpeg', [0, ['\0\0\x01\xba']]],
  ['asf', [0, ['\x30\x26\xb2\x75']]],
  ['flv', [0, ['FLV\x01']]],
];

/** The format that the bytes have, whatever the file is called. Null: nobody reads it. */
export function formatOf(start: Buffer): string | null {
  const text = start.toString('latin1');
  const row = beginnings.find(([, ...parts]) =>
    parts.every(([at, texts]) => texts.some((beginning) => text.startsWith(beginning, at))),
  );
  return row?.[0] ?? null;
}

export type Picture = { codec: string; is420: boolean; width: number; height: number };
/** `audio`: the codec of the first sound track. `seconds`: null if unknown. */
export type Film = { format: string; picture: Picture | null; audio: string | null; seconds: number | null };

/** Reads what ffmpeg says of a film before it works on it. Null: it could not read it. */
export function readFilm(format: string, log: string): Film | null {
  const streams = log.split(/^ {2}Stream #0:/m).slice(1);
  if (streams.length === 0) return null;
  const video = streams.find((text) => text.includes(': Video: ') && !text.includes('(attached pic)'));
  const audio = streams.find((text) => text.includes(': Audio: '));
  const picture = video === undefined ? null : readPicture(video);
  if (video !== undefined && picture === null) return null;
  const [, hours = '', minutes = '', seconds = ''] = /^ {2}Duration: (\d+):(\d\d):(\d\d)/m.exec(log) ?? [];
  return {
    format,
    picture,
    audio: audio === undefined ? null : codecOf(audio),
    seconds: seconds === '' ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + 1,
  };
}

const codecOf = (stream: string) => /: (?:Video|Audio): (\w+)/.exec(stream)?.[1] ?? '';

/** As it is displayed: with square pixels, turned upright. */
function readPicture(stream: string): Picture | null {
  const [, across, down] = /, ([1-9]\d{0,4})x([1-9]\d{0,4})\b/.exec(stream) ?? [];
  if (across === undefined || down === undefined) return null;
  const [, wide = '1', high = '1'] = /SAR ([1-9]\d{0,5}):([1-9]\d{0,5})/.exec(stream) ?? [];
  const [width, height] = [Math.max(1, Math.round((Number(across) * Number(wide)) / Number(high))), Number(down)];
  if (width > mostSide) return null;
  const turned = /rotation of -?(?:90|270)\.00 degrees/.test(stream);
  const size = turned ? { width: height, height: width } : { width, height };
  return { codec: codecOf(stream), is420: /, yuvj?420p[(,]/.test(stream), ...size };
}

/** Pictures and sounds that the browsers of today play, by format. */
const played: Record<string, { pictures: string[]; sounds: string[] }> = {
  mov: { pictures: ['h264', 'vp9', 'av1'], sounds: ['aac', 'mp3', 'opus', 'flac'] },
  matroska: { pictures: ['vp8', 'vp9', 'av1'], sounds: ['opus', 'vorbis'] },
};

/** Of H.264, browsers play 8 bits with 4:2:0 alone. */
export const isPicturePlayed = ({ codec, is420 }: Picture, format = 'mov'): boolean =>
  (played[format]?.pictures.includes(codec) ?? false) && (codec !== 'h264' || is420);

/** Pages show a film by its type, so a type that they do not show is not played either. */
export const isPlayed = ({ format, picture, audio }: Film, contentType: string): boolean =>
  isShown(contentType) &&
  (picture === null || isPicturePlayed(picture, format)) &&
  (audio === null || (played[format]?.sounds.includes(audio) ?? false));
