import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import pLimit from 'p-limit';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isShown } from '../../contract/files/file-types.ts';
import { Refusal } from '../http/refusal.ts';
import { deadlines } from '../lib/deadlines.ts';
import { programOf, root, server } from '../lib/places.ts';
import { storageDown } from './storage.ts';

/** Files of these types are drawn, by their bytes: a file may be declared as another of them. */
const types = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
  'image/heic',
  'image/heif',
  'image/svg+xml',
  'image/vnd.adobe.photoshop',
  'application/pdf',
  'application/illustrator',
  'application/postscript',
]);

export const canBeDrawn = (contentType: string): boolean => types.has(contentType);

/** Pixels of the longer side. Of what browsers do not show, the poster is what people look at. */
const sideOf = (contentType: string): number => (isShown(contentType) ? 1_024 : 2_048);

/** Processes at a time, and pictures of callers that may wait. */
const drawing = pLimit(2);
const mostWaiting = 20;

/** Most posters have some hundred kilobytes, noise at 2,048 px twice as many as this: it is drawn smaller. */
const mostBytes = 2 * 1024 ** 2;

/** Before its poster, a process writes width and height. */
const sizeBytes = 8;
/** Larger sizes are not believed, whoever says them. Only a PSB can be as large. */
export const mostSide = 300_000;

/**
 * Kilobytes of data memory. Half a gigabyte of it is address space that Node reserves for compiled code and
 * does not use, so a process has about 790 MB: a HEIC of 48 megapixels takes 610.
 */
const memory = 1_300_000;

const script = programOf('files/poster-process');
/** What the script imports. The bundle has no such folder, because its script contains these files. */
const parts = join(server, 'files/drawing');
const packages = realpathSync(join(root, 'node_modules'));
const pdfLibrary = join(packages, 'pdfjs-dist/');

/** Without secrets in its environment, it reads only the libraries, and starts no process. */
const nodeFlags = [
  '--disable-warning=SecurityWarning',
  '--max-old-space-size=400',
  '--permission',
  '--allow-addons',
  ...[join(root, 'node_modules'), join(packages, '*'), join(root, 'package.json'), script, parts].map(
    (path) => `--allow-fs-read=${path}`,
  ),
];

/** Of the process: what a caller waits for must not stand behind all else that runs. */
const niceness = { task: 10, caller: 0 };

/** If memory runs out, the system ends this process first. Where a limit is unknown, the others hold. */
export const limited = (
  nice: number,
  kilobytes = memory,
  seconds = deadlines.drawing.processor / 1000,
) => `echo 1000 2>/dev/null >/proc/self/oom_score_adj
ulimit -d ${kilobytes} 2>/dev/null
ulimit -t ${seconds} 2>/dev/null
ulimit -c 0 2>/dev/null
exec nice -n ${nice} "$0" "$@"`;

/** Pixels, upright; null for a vector, or if unknown. */
export type Size = { width: number; height: number } | null;
/** How the process ended, in our own words: its output may contain text of the file. */
export type Drawn = { size: Size } & ({ picture: Buffer } | { picture: null; reason: string; killed: boolean });
type Wish = { side: number; only?: string };

/**
 * Draws a poster in a process of its own, which ends with it: a broken or hostile file costs only its
 * poster. Throws if the source fails, or the process cannot be started or is stopped.
 */
export const drawPoster = (source: Readable, contentType: string, stopped: AbortSignal): Promise<Drawn> =>
  drawing(() => draw(source, { side: sideOf(contentType) }, stopped, niceness.task));

/** Draws a JPEG while a caller waits. Throws `service_unavailable` if that takes too long. */
export async function drawNow(bytes: Buffer): Promise<Buffer | null> {
  const enough = AbortSignal.timeout(deadlines.drawing.answer);
  try {
    if (drawing.pendingCount > mostWaiting) throw new Error('Too many callers wait for pictures.');
    const frame = { side: sideOf('image/jpeg'), only: 'jpeg' };
    return (await drawing(() => draw(Readable.from([bytes]), frame, enough, niceness.caller))).picture;
  } catch (error) {
    const refusal = new Refusal('service_unavailable', { headers: { 'retry-after': '5' } });
    refusal.cause = error;
    throw refusal;
  }
}

async function draw(source: Readable, { side, only = '' }: Wish, stopped: AbortSignal, nice: number): Promise<Drawn> {
  const command = [process.execPath, ...nodeFlags, script, pdfLibrary, `${side}`, `${mostBytes}`, only];
  const child = spawn('/bin/sh', ['-c', limited(nice), ...command], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: deadlines.drawing.task,
    killSignal: 'SIGKILL',
    signal: stopped,
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const output = collect(child.stdout, () => child.kill('SIGKILL'));
  const sent = send(source, child.stdin);
  const { code, signal } = await ended;
  source.destroy();
  const failed = await sent;
  const written = readOutput(await output);
  const { size } = written;
  if (code === 0 && written.picture) return { size, picture: written.picture };
  if (failed) throw storageDown(failed);
  return {
    size,
    picture: null,
    reason: signal ? `ended by ${signal}` : `ended with code ${code}`,
    killed: signal !== null,
  };
}

/** A hostile file may control the process, so only a plausible size and a WebP are accepted. */
export function readOutput(output: Buffer): { size: Size; picture: Buffer | null } {
  if (output.length < sizeBytes) return { size: null, picture: null };
  const [width, height] = [output.readUInt32BE(0), output.readUInt32BE(4)];
  const isSize = Math.min(width, height) > 0 && Math.max(width, height) <= mostSide;
  const picture = output.subarray(sizeBytes);
  const isWebp = picture.toString('latin1', 0, 4) === 'RIFF' && picture.toString('latin1', 8, 12) === 'WEBP';
  return { size: isSize ? { width, height } : null, picture: isWebp && picture.length <= mostBytes ? picture : null };
}

async function collect(output: Readable, tooMuch: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of output as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > sizeBytes + mostBytes) tooMuch();
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Resolves with the error of the source. A process that reads no further is no such error. */
async function send(source: Readable, input: Writable): Promise<Error | null> {
  let failed = source.errored;
  source.once('error', (error) => (failed = input.destroyed ? null : error));
  await pipeline(source, input).catch(() => {});
  return failed;
}
