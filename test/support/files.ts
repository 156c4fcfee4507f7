import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { post } from './jobs.ts';
import { hasProof, proofFile } from './proof.ts';
import type { As, Service } from './harness.ts';

/** A storage for one test file, with direct access to its objects. */
export type TestStorage = {
  kind: 'file' | 's3';
  /** The settings that make a service use it. */
  env: Record<string, string>;
  /** Keys of all objects, including temporary files. */
  keys(): Promise<string[]>;
  read(key: string): Promise<Buffer>;
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** Makes an object look this old. */
  age(key: string, hours: number): Promise<void>;
  down(): Promise<void>;
  up(): Promise<void>;
  /** An empty storage in its place, as if the disk were not mounted. */
  unmount(): Promise<void>;
  /** Drops what was written meanwhile. */
  mount(): Promise<void>;
  /** Freezes or resumes the S3 server. A folder has none. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  close(): Promise<void>;
};

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** `toPath` turns the key of an object into its path below the folder. */
const inFolder = (folder: string, toPath: (key: string) => string) => ({
  read: (key: string) => readFile(join(folder, toPath(key))),
  write: async (key: string, bytes: Uint8Array) => {
    await mkdir(join(folder, toPath(key), '..'), { recursive: true });
    await writeFile(join(folder, toPath(key)), bytes);
  },
  age: async (key: string, hours: number) => {
    const then = new Date(Date.now() - hours * 3_600_000);
    await utimes(join(folder, toPath(key)), then, then);
  },
});

const mountable = (folder: string) => ({
  async unmount() {
    await rename(folder, `${folder}.unmounted`);
    await mkdir(folder);
  },
  async mount() {
    await rm(folder, { recursive: true });
    await rename(`${folder}.unmounted`, folder);
  },
});

async function openFolder(): Promise<TestStorage> {
  const home = await mkdtemp(join(tmpdir(), 'atelier-files-'));
  const folder = join(home, 'objects');
  return {
    kind: 'file',
    env: { STORAGE_URL: `file:${folder}` },
    keys: () => filesUnder(folder),
    ...inFolder(folder, (key) => key),
    // At once: in between, the folder would be missing, which is another fault.
    async down() {
      if (existsSync(folder)) renameSync(folder, `${folder}.away`);
      writeFileSync(folder, 'a file where the folder was');
    },
    async up() {
      rmSync(folder);
      if (existsSync(`${folder}.away`)) renameSync(`${folder}.away`, folder);
    },
    ...mountable(folder),
    signal: () => {},
    close: () => rm(home, { recursive: true, force: true }),
  };
}

async function startS3(folder: string, port = 0): Promise<{ process: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [proofFile('s3-server.ts'), folder, String(port)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ready = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => resolve(Number(/ready (\d+)/.exec(chunk.toString())?.[1])));
    child.on('exit', (code) => reject(new Error(`The S3 server ended with ${code}.`)));
  });
  return { process: child, port: ready };
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve));

async function openS3(): Promise<TestStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-s3-'));
  let server = await startS3(folder);
  const { port } = server;
  process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER';
  const suffix = '._S3rver_object';
  const stop = async () => {
    const end = ended(server.process);
    server.process.kill('SIGKILL');
    await end;
  };
  return {
    kind: 's3',
    env: { STORAGE_URL: `s3://atelier?endpoint=http://127.0.0.1:${port}&region=eu-central-1` },
    keys: async () => {
      const files = await filesUnder(join(folder, 'atelier'));
      return files.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
    },
    ...inFolder(folder, (key) => `atelier/${key}${suffix}`),
    write: async (key, bytes) => {
      const path = join(folder, 'atelier', key);
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(`${path}._S3rver_metadata.json`, '{}');
      await writeFile(`${path}${suffix}`, bytes);
    },
    down: stop,
    async up() {
      server = await startS3(folder, port);
    },
    ...mountable(join(folder, 'atelier')),
    signal: (name) => void server.process.kill(name),
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The storages that can be opened here. The S3 server comes with `proof/`. */
export const storageKinds = hasProof ? (['file', 's3'] as const) : (['file'] as const);

export const openTestStorage = (kind: TestStorage['kind']): Promise<TestStorage> =>
  kind === 'file' ? openFolder() : openS3();

export const wish = (bytes: Uint8Array, changes: object = {}) => ({
  purpose: 'job_source',
  content_type: bytes[0] === 0x89 ? 'image/png' : 'text/plain',
  file_name: 'brand guide.png',
  size_bytes: bytes.length,
  ...changes,
});

export const presign = (service: Service, as: As, bytes: Uint8Array, changes: object = {}, key?: string) =>
  post(service, as, '/api/v1/files/presign', wish(bytes, changes), key);

export type Upload = { method: string; url: string; headers: Record<string, string> };

/** Local storage signs URLs for the public address; this points them at the test service. */
export const reachable = (service: Service, url: string) => url.replace('http://localhost:3000', service.url);

/** Uploads bytes as the contract says, or with these changes. */
export async function put(service: Service, upload: Upload, bytes: Uint8Array | string, changes: RequestInit = {}) {
  const request = { method: upload.method, headers: upload.headers, body: bytes as BodyInit, ...changes };
  const response = await fetch(reachable(service, upload.url), request);
  return { status: response.status, text: await response.text() };
}

export const complete = (service: Service, as: As, id: string) => post(service, as, `/api/v1/files/${id}/complete`);

/** A completed upload of the account. */
export async function newFile(service: Service, as: As, bytes: Uint8Array, changes: object = {}) {
  const { status, body } = await presign(service, as, bytes, changes);
  expect(status).toBe(201);
  expect((await put(service, body.upload, bytes)).status).toBe(200);
  const completed = await complete(service, as, body.file.id);
  expect(completed.status).toBe(200);
  return { ...completed.body.file, upload: body.upload as Upload };
}

/** The page of a pending upload, with its token. */
export async function newUploadPage(service: Service, as: As, changes: object = {}) {
  const { status, body } = await presign(service, as, Buffer.from('hello'), changes);
  expect(status).toBe(201);
  const { url, expires_at } = body.page as { url: string; expires_at: string };
  return { id: body.file.id as string, url, expires_at, token: new URL(url).hash.slice(1) };
}

/** What the page does with a dropped file, up to its completion. */
export async function sendByPage(service: Service, token: string, bytes: Uint8Array, changes: object = {}) {
  const { purpose: _, ...fields } = wish(bytes);
  const started = await post(service, null, '/api/v1/upload-pages/start', { token, ...fields, ...changes });
  expect(started.status).toBe(200);
  expect((await put(service, started.body.upload, bytes)).status).toBe(200);
}

export const completePage = (service: Service, token: string) =>
  post(service, null, '/api/v1/upload-pages/complete', { token });

/** A completed deliverable of the studio, not yet submitted. */
export async function newDeliverable(service: Service, as: As, jobId: string, bytes: Uint8Array, changes: object = {}) {
  const { purpose: _, ...upload } = wish(bytes);
  const body = { ...upload, ...changes };
  const path = `/api/operator/v1/jobs/${jobId}/files/presign`;
  const presigned = await post(service, as, path, body);
  expect(presigned.status).toBe(201);
  expect((await put(service, presigned.body.upload, bytes)).status).toBe(200);
  const done = await post(service, as, `/api/operator/v1/files/${presigned.body.file.id}/complete`);
  expect(done.status).toBe(200);
  return done.body.file;
}

/** The answer of a file's download URL. */
export async function download(service: Service, as: As, id: string, init: RequestInit = {}, route = '/api/v1') {
  const { status, body } = await post(service, as, `${route}/files/${id}/download`);
  expect(status).toBe(200);
  return fetch(reachable(service, body.download.url), init);
}

export const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
/** Any bytes that begin both as a PNG and as an MP4 do. */
export const someBytes = (length = 2_000) =>
  Buffer.concat([Buffer.from('\x89PNGftyp', 'latin1'), randomBytes(length)]).subarray(0, length);
export const unknownFile = 'file_01jd3vsh8xe7rtx1zqbdnzc4v0';

/** What the probes say of the storage. No process is ready, as the Postgres of most tests has no fsync. */
export async function storageSeenAt(
  { call }: Service,
  name = 'storage',
): Promise<[message: string | null, up: string | undefined]> {
  const { details = [] } = (await call('GET', '/readyz?verbose')).body.error;
  const detail = details.find(({ location }: { location: string }) => location === name);
  const metrics = String((await call('GET', '/metrics')).body);
  return [
    detail?.message ?? null,
    new RegExp(`^atelier_dependency_up\\{name="${name}"\\} (\\d)`, 'm').exec(metrics)?.[1],
  ];
}

const beginnings: Record<string, string> = { 'application/pdf': '%PDF-1.7', 'application/zip': 'PK\x03\x04' };

/** Bytes that begin as a file of this type does. */
export function bytesFor(contentType: string): Buffer {
  const bytes = Buffer.from(someBytes());
  bytes.write(beginnings[contentType] ?? '', 'latin1');
  return bytes;
}
