import { execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { limited } from '../draw-poster.ts';
import { storageDown } from '../storage.ts';
import { formatOf } from './film.ts';

/** A film on this machine: its folder, and the format that its bytes have. */
export type FilmFile = { folder: string; format: string };

const films = 'atelier-film-';
/** Containers may share the folder of all films, but each has a host name and process ids of its own. */
const filmsHere = `${films}${hostname()}-`;
const name = 'film';

/** Writes the film to a file, because readers seek in it. Null if its bytes have none of the formats. */
export async function withFilm<Result>(
  source: Readable,
  stopped: AbortSignal,
  work: (film: FilmFile) => Promise<Result>,
): Promise<Result | null> {
  const folder = await mkdtemp(join(tmpdir(), `${filmsHere}${process.pid}-`)); // of mode 0700
  try {
    await write(source, join(folder, name), stopped);
    const format = formatOf(await readBeginning(join(folder, name)));
    return format === null ? null : await work({ folder, format });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Throws `service_unavailable` if the storage breaks off, whatever its error is. */
async function write(source: Readable, path: string, stopped: AbortSignal): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  let brokeOff = false;
  source.once('error', () => (brokeOff = file.errored === null));
  await pipeline(source, file, { signal: stopped }).catch((error: unknown) => {
    throw brokeOff ? storageDown(error) : error;
  });
}

async function readBeginning(path: string): Promise<Buffer> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
  return buffer.subarray(0, bytesRead);
}

/** Milliseconds: longer than a film is worked on. */
const longest = 3_600_000;

/** Removes the folders of processes that ended while they read a film; of other hosts, those that are old. */
export async function removeLeftFilms(): Promise<void> {
  for (const entry of await readdir(tmpdir()))
    if (entry.startsWith(films) && (await isLeft(entry)))
      await rm(join(tmpdir(), entry), { recursive: true, force: true }).catch(() => {}); // of another user
}

async function isLeft(entry: string): Promise<boolean> {
  const [, pid] = (entry.startsWith(filmsHere) && /^(\d+)-\w+$/.exec(entry.slice(filmsHere.length))) || [];
  if (pid !== undefined) return Number(pid) === process.pid || !isRunning(Number(pid));
  const folder = await stat(join(tmpdir(), entry)).catch(() => null); // removed meanwhile
  return folder !== null && Date.now() - folder.mtimeMs > longest;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The decoders of what cameras, editors and browsers write, of the some hundred that ffmpeg has. */
const decoders = [
  'h264,hevc,vp8,vp9,libdav1d,av1,mpeg1video,mpeg2video,mpeg4,msmpeg4v3,h263,vc1,wmv2,wmv3,flv,theora',
  'prores,dnxhd,cfhd,mjpeg,jpeg2000,dvvideo,ffv1,huffyuv,utvideo,qtrle,png,rawvideo,v210,hap',
  'aac,mp3,mp3float,mp2,mp2float,ac3,eac3,flac,alac,opus,vorbis,wmav2,adpcm_ms,adpcm_ima_qt,adpcm_ima_wav',
  'pcm_alaw,pcm_mulaw,pcm_u8,pcm_s8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be',
].join(',');

/** Pixels of a frame of 8,192 × 4,320, and some. */
const mostPixels = 36_000_000;

/** Reads the film and nothing else, in the format that its bytes have. */
const reading = (format: string): string[] => [
  ...words(`-hide_banner -nostdin -protocol_whitelist file,pipe -format_whitelist ${format} -f ${format}`),
  ...words(`-codec_whitelist ${decoders} -max_pixels ${mostPixels} -threads 2`),
  ...words(format === 'mov' ? '-enable_drefs 0 -use_absolute_path 0' : ''),
];

/** Options of ffmpeg as one reads them. */
export const words = (options: string): string[] => options.split(' ').filter(Boolean);

/** Kilobytes of data memory: a decoder keeps sixteen frames, which may be 4K. */
const memory = 1_500_000;

let alone: Promise<string[]> | undefined;

/** What starts a program without a network, if this machine lets the service do so. */
export const withoutNetwork = (): Promise<string[]> =>
  (alone ??= promisify(execFile)('unshare', ['-cn', 'true'])
    .then(() => ['unshare', '-cn'])
    .catch(() => []));

/** `mostBytes`: of a file that it writes. */
export type Limits = { milliseconds: number; mostBytes?: number; stopped: AbortSignal };
/** `reason`: why it failed, in our own words, because its log may contain text of the film. */
export type Ended = { output: Buffer; log: string; reason: string | null; killed: boolean };

const mostOutput = 64 * 1024 ** 2;
const mostLog = 1024 ** 2;

/**
 * Runs ffmpeg on a film, with limits as a poster has them. Throws if the process cannot be started or is
 * stopped. `before` and `after` the film: options of reading and of writing.
 */
export async function runFfmpeg(
  program: string,
  { folder, format }: FilmFile,
  { before = [], after }: { before?: string[]; after: string[] },
  { milliseconds, mostBytes = 0, stopped }: Limits,
): Promise<Ended> {
  const command = [...(await withoutNetwork()), program, ...reading(format), ...before, '-i', name, ...after];
  const script = `ulimit -f ${Math.ceil(mostBytes / 512)} 2>/dev/null\n${limited(10, memory, Math.ceil((2 * milliseconds) / 1000))}`;
  const child = spawn('/bin/sh', ['-c', script, ...command], {
    cwd: folder,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: milliseconds,
    killSignal: 'SIGKILL',
    signal: stopped,
  });
  const [output, log] = [collect(child.stdout, mostOutput), collect(child.stderr, mostLog)];
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const tooLarge = signal === 'SIGXFSZ';
  const ended = { output: await output, log: (await log).toString(), killed: signal !== null && !tooLarge };
  if (code === 0) return { ...ended, reason: null };
  if (tooLarge) return { ...ended, reason: 'its copy would be too large' };
  return { ...ended, reason: signal === null ? `ended with code ${code}` : `ended by ${signal}` };
}

/** Drops what is beyond the limit. */
async function collect(stream: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= most) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
