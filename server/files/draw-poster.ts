import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import pLimit from 'p-limit';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '../http/refusal.ts';
import { deadlines } from '../lib/deadlines.ts';
import { programOf, root } from '../lib/places.ts';

/** The types that can be drawn, each with the format that its bytes must have. */
const formats: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
  'image/avif': 'heif',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
  'application/illustrator': 'pdf',
};

export const canBeDrawn = (contentType: string): boolean => Object.hasOwn(formats, contentType);

/** Processes at a time, and pictures of callers that may wait. */
const drawing = pLimit(2);
const mostWaiting = 20;

/** A poster has at most some hundred kilobytes. */
const mostBytes = 2 * 1024 ** 2;

/**
 * Kilobytes of data memory. Half a gigabyte of it is address space that Node reserves for compiled code and
 * does not use, so a process has about 640 MB.
 */
const memory = 1_150_000;

const script = programOf('files/poster-process');
const packages = realpathSync(join(root, 'node_modules'));
const pdfLibrary = join(packages, 'pdfjs-dist/');

/** Without secrets in its environment, it reads only the libraries, and starts no process. */
const nodeFlags = [
  '--disable-warning=SecurityWarning',
  '--max-old-space-size=400',
  '--permission',
  '--allow-addons',
  ...[join(root, 'node_modules'), join(packages, '*'), join(root, 'package.json'), script].map(
    (path) => `--allow-fs-read=${path}`,
  ),
];

/** Of the process: what a caller waits for must not stand behind all else that runs. */
const niceness = { task: 10, caller: 0 };

/** If memory runs out, the system ends this process first. Where a limit is unknown, the others hold. */
const limited = (nice: number) => `echo 1000 2>/dev/null >/proc/self/oom_score_adj
ulimit -d ${memory} 2>/dev/null
ulimit -t ${deadlines.drawing.task / 1000} 2>/dev/null
ulimit -c 0 2>/dev/null
exec nice -n ${nice} "$0" "$@"`;

/** How the process ended, in our own words: its output may contain text of the file. */
export type Drawn = { picture: Buffer } | { picture: null; reason: string; killed: boolean };

/**
 * Draws a poster in a process of its own, which ends with it: a broken or hostile file costs only its
 * poster. Throws if the source fails, or the process cannot be started or is stopped.
 */
export const drawPoster = (source: Readable, contentType: string, stopped: AbortSignal): Promise<Drawn> =>
  drawing(() => draw(source, contentType, stopped, niceness.task));

/** Draws while a caller waits. Throws `service_unavailable` if that takes too long. */
export async function drawNow(bytes: Buffer, contentType: string): Promise<Buffer | null> {
  const enough = AbortSignal.timeout(deadlines.drawing.answer);
  try {
    if (drawing.pendingCount > mostWaiting) throw new Error('Too many callers wait for pictures.');
    return (await drawing(() => draw(Readable.from([bytes]), contentType, enough, niceness.caller))).picture;
  } catch (error) {
    const refusal = new Refusal('service_unavailable', { headers: { 'retry-after': '5' } });
    refusal.cause = error;
    throw refusal;
  }
}

async function draw(source: Readable, contentType: string, stopped: AbortSignal, nice: number): Promise<Drawn> {
  const command = [process.execPath, ...nodeFlags, script, formats[contentType] ?? '', pdfLibrary];
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
  const picture = collect(child.stdout, () => child.kill('SIGKILL'));
  const sent = send(source, child.stdin);
  const { code, signal } = await ended;
  source.destroy();
  const failed = await sent;
  const bytes = await picture;
  if (code === 0 && bytes.length > 0 && bytes.length <= mostBytes) return { picture: bytes };
  if (failed) throw failed;
  return { picture: null, reason: signal ? `ended by ${signal}` : `ended with code ${code}`, killed: signal !== null };
}

async function collect(output: Readable, tooMuch: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of output as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) tooMuch();
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Resolves with the error of the source. A process that reads no further is no such error. */
async function send(source: Readable, input: NodeJS.WritableStream): Promise<Error | null> {
  const refused = new Promise<null>((resolve) => input.once('error', () => resolve(null)));
  const sent = pipeline(source, input).then(
    () => null,
    () => source.errored,
  );
  return Promise.race([sent, refused]);
}
