import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Atelier, CustomerUpload } from '../atelier.ts';
import { AtelierError, throwUnreachable } from '../error.ts';
import { chunksOf } from '../event-stream.ts';
import type { File } from '../generated/types.gen.ts';
import { labelOf, open, type Progress } from '../upload.ts';
import { argument, type Command, exitCodes, type Input, type Io, UsageError } from './command.ts';
import { connect } from './profile.ts';
import { print, printable, printJson, printMessage } from './terminal.ts';

/** One line in a terminal, otherwise nothing. */
function progressOf(io: Io, name: string): Progress {
  return (sent, total) => {
    if (!io.stderr.isTTY) return;
    io.stderr.write(`\r${printable(io, name)}  ${total === 0 ? 100 : Math.floor((100 * sent) / total)} %${sent >= total ? '\n' : ''}`);
  };
}

type Attach = { jobId?: string | undefined; key?: string | undefined; purpose?: CustomerUpload['purpose'] };

/** Uploads files in sequence. With a key, each file only once. */
export async function attach(io: Io, atelier: Atelier, paths: string[], { jobId, key, purpose }: Attach = {}): Promise<File[]> {
  await lookAt(io, paths);
  const files: File[] = [];
  for (const [place, path] of paths.map((name) => resolve(io.cwd(), name)).entries()) {
    try {
      const idempotencyKey = key === undefined ? undefined : await keyOf(key, place, path);
      files.push(await atelier.uploadFile(path, { jobId, purpose, idempotencyKey, progress: progressOf(io, basename(path)) }));
    } catch (error) {
      if (error instanceof AtelierError) throw error;
      throw new UsageError(error instanceof Error ? error.message : String(error), 'Check its path.');
    }
  }
  return files;
}

/** Refuses unreadable files before anything is uploaded. */
async function lookAt(io: Io, paths: string[]): Promise<void> {
  for (const path of paths)
    await open(resolve(io.cwd(), path)).catch(() => {
      throw new UsageError(`The file ${path} cannot be read.`, 'Check its path.');
    });
}

/** A key per file. A changed file gets another one, because it is another request. */
async function keyOf(key: string, place: number, path: string): Promise<string> {
  const { bytes, name } = await open(path);
  const hash = createHash('sha256').update(JSON.stringify([key, place, name]));
  await pipeline(Readable.fromWeb(bytes.stream() as never), hash);
  return hash.digest('hex');
}

export const upload: Command = {
  name: 'upload',
  args: '<file>…',
  summary: 'upload files; prints their ids',
  options: { job: { value: 'ID', description: 'a job that has not ended; left out, name the file when you create one' } },
  examples: ['atelier upload brief.pdf', 'atelier upload photo.jpg --job job_01…'],
  async run(input, io) {
    argument(input, 0, 'file');
    const files = await attach(io, await connect(input.connection), input.args, { jobId: input.text('job') });
    for (const file of files) if (input.json) printJson(io, file); else print(io, file.id);
  },
};

/** From Content-Disposition, without any path. */
function nameOf(answer: Response, id: string): string {
  const disposition = answer.headers.get('content-disposition') ?? '';
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  const [, quoted, plain] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const sent = encoded === undefined ? (quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '') : decodeURIComponent(encoded);
  return safeName(sent, id);
}

/** A name for a file in a folder of this machine: never a path, and never hidden. */
function safeName(label: string, id: string): string {
  const name = basename(label).replace(/[\\/]/g, '');
  return name === '' || name.startsWith('.') ? id : labelOf(name);
}

export const download: Command = {
  name: 'download',
  args: '<job|file>',
  summary: 'download the newest delivery of a job, or one file, into this folder; never over an existing file',
  options: { output: { value: 'PATH', short: 'o', description: 'file to write, - for standard output; for a job a folder' } },
  examples: ['atelier download job_01…', 'atelier download job_01… -o delivery', 'atelier download file_01… -o logo.png'],
  async run(input, io) {
    const id = argument(input, 0, 'id of a job or file');
    const atelier = await connect(input.connection);
    if (id.startsWith('job_')) return downloadJob(io, atelier, id, input);
    const { body, name } = await fetchFile(io, atelier, id);
    const output = input.text('output') ?? name;
    if (output === '-') return pipeline(body, io.stdout, { end: false });
    await save(io, body, output);
    showSaved(io, input, id, output);
  },
};

/** Checks every path before it writes the first file. */
async function downloadJob(io: Io, atelier: Atelier, id: string, input: Input): Promise<number> {
  const { job } = await atelier.readJob({ path: { id } });
  const last = Math.max(...job.deliveries.map(({ round }) => round));
  const newest = job.deliveries.find(({ round }) => round === last);
  if (!newest) throw new UsageError('The job has no delivery yet.', `Run: atelier watch ${id}`);
  const folder = input.text('output') ?? '.';
  const files = newest.file_ids.map((fileId) => {
    const name = safeName(job.files.find((file) => file.id === fileId)?.file_name ?? '', fileId);
    return { id: fileId, name };
  });
  const names = files.map(({ name }) => name.toLowerCase());
  const places = files.map(({ id: fileId, name }, at) => ({
    id: fileId,
    path: join(folder, names.indexOf(name.toLowerCase()) === at ? name : `${fileId}-${name}`),
  }));
  const existing = places.find(({ path }) => existsSync(resolve(io.cwd(), path)));
  if (existing) throw new UsageError(`${existing.path} exists already.`, 'Name another folder with --output.');
  if (folder !== '.') await mkdir(resolve(io.cwd(), folder), { recursive: true });
  for (const { id: fileId, path } of places) {
    await save(io, (await fetchFile(io, atelier, fileId)).body, path);
    showSaved(io, input, fileId, path);
  }
  if (places.length === 0) printMessage(io, `The newest delivery has no files. Its message: atelier job ${id}`);
  return exitCodes.done;
}

async function fetchFile(io: Io, atelier: Atelier, id: string): Promise<{ body: Readable; name: string }> {
  const { download } = await atelier.createDownload({ path: { id } });
  const answer = await fetch(download.url).catch(throwUnreachable);
  if (!answer.ok || !answer.body) throw new AtelierError(answer.status, { message: `The storage answered ${answer.status}.` });
  const name = nameOf(answer, id);
  const total = Number(answer.headers.get('content-length'));
  return { body: Readable.from(counted(answer.body, total, progressOf(io, name))), name };
}

function showSaved(io: Io, { json }: Input, id: string, path: string): void {
  if (json) printJson(io, { id, path });
  else print(io, path);
  printMessage(io, `Saved ${path}.`);
}

async function* counted(bytes: ReadableStream<Uint8Array>, total: number, progress: Progress): AsyncGenerator<Uint8Array> {
  let got = 0;
  for await (const part of chunksOf(bytes)) {
    got += part.byteLength;
    if (total > 0) progress(got, total);
    yield part;
  }
}

/** An interrupted download leaves no file. */
async function save(io: Io, bytes: Readable, path: string): Promise<void> {
  const place = resolve(io.cwd(), path);
  const file = createWriteStream(place, { flags: 'wx' });
  try {
    await pipeline(bytes, file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UsageError(`${path} exists already.`, 'Name another path with --output.');
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      throw new UsageError(`${path} cannot be written.`, 'Name another path with --output.');
    await rm(place, { force: true });
    if (!(error instanceof AtelierError)) throw new UsageError(`${path} cannot be written: ${message}`, 'Name another path with --output.');
    throw new AtelierError(0, { message: 'The download broke off.' }, error);
  }
}
