import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sweepStorage } from '../../server/files/sweep-storage.ts';
import {
  bytesOf,
  complete,
  download,
  openTestStorage,
  presign,
  type TestStorage,
  type Upload,
} from '../support/files.ts';
import { createStudio, type Studio } from '../support/jobs.ts';
import { callsTo, environment, type Service } from '../support/harness.ts';

/** Large files through a process of its own, which can be measured and killed. Bytes pass through it on the local storage only. */

const mebibyte = 1024 * 1024;
const started: ChildProcess[] = [];

/** Another process on the database and storage of the test. */
async function startProcess(): Promise<{ process: ChildProcess; service: Service }> {
  const env = { ...process.env, ...environment, ...storage.env, DATABASE_URL: studio.service.databaseUrl };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../support/second-process.ts')], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  return { process: child, service: { ...studio.service, url, call: callsTo(url) } };
}

let storage: TestStorage;
let studio: Studio;
beforeAll(async () => {
  storage = await openTestStorage('file');
  studio = await createStudio(storage.env);
  await studio.service.context.storageWatch.probe(); // as at the start of a process
});
afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));
afterAll(async () => {
  await studio?.service.close();
  await storage?.close();
});

/** MiB of memory that a process holds now. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** The most that it held while something ran. */
async function mostDuring(child: ChildProcess, run: Promise<unknown>): Promise<number> {
  let most = 0;
  const running = run.then(() => 'over');
  while ((await Promise.race([running, wait(20)])) !== 'over') most = Math.max(most, await memoryOf(child));
  return most;
}

/** Sends `size` bytes of one random MiB again and again, as fast as they are taken; the hash of what was sent. */
async function stream(service: Service, upload: Upload, size: number, until = size): Promise<string> {
  const sent = request(upload.url.replace('http://localhost:3000', service.url), {
    method: 'PUT',
    headers: { ...upload.headers, 'content-length': String(size) },
  });
  const hash = createHash('sha256');
  const piece = randomBytes(mebibyte);
  const answered = once(sent, 'response');
  answered.catch(() => {}); // when the process is killed
  for (let at = 0; at < until; at += piece.length) {
    const part = piece.subarray(0, Math.min(piece.length, until - at));
    hash.update(part);
    if (!sent.write(part)) await once(sent, 'drain');
  }
  if (until < size) return '';
  sent.end();
  const [response] = (await answered) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
  return hash.digest('hex');
}

/** Takes in all that an answer holds, and keeps none of it. */
async function hashOf(answer: Response): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of answer.body ?? []) hash.update(chunk);
  return hash.digest('hex');
}

test.runIf(process.platform === 'linux')('100 MiB go up and come down with flat memory', async () => {
  const { process: child, service } = await startProcess();
  const round = async (size: number) => {
    const { body } = await presign(service, studio.key, Buffer.from('x'), { size_bytes: size });
    const sending = stream(service, body.upload, size);
    const up = await mostDuring(child, sending);
    expect((await complete(service, studio.key, body.file.id)).body.file.size_bytes).toBe(size);
    const answer = await download(service, studio.key, body.file.id);
    expect(answer.headers.get('content-length')).toBe(String(size));
    const reading = hashOf(answer);
    const down = await mostDuring(child, reading);
    expect(await reading).toBe(await sending);
    return { up, down };
  };
  await round(20 * mebibyte); // buffers of a first transfer are there to stay, whatever its size
  const before = await memoryOf(child);
  const { up, down } = await round(100 * mebibyte);
  const after = await memoryOf(child);
  const [a, b, c, d] = [before, up, down, after].map((each) => each.toFixed(0));
  process.stdout.write(`Memory (RSS) of 100 MiB up and down: ${a} MiB before, ${b} up, ${c} down, ${d} after\n`);
  expect(Math.max(up, down, after) - before).toBeLessThan(60);
});

test('kill -9 in the middle of 50 MB leaves no file that looks whole, and the client can send again', async () => {
  const { process: child, service } = await startProcess();
  const size = 50_000_000;
  const { body } = await presign(service, studio.key, Buffer.from('x'), { size_bytes: size });
  const before = await storage.keys();
  const sending = stream(service, body.upload, size, size / 2).catch(() => '');
  await expect.poll(async () => (await storage.keys()).filter((key) => key.startsWith('tmp/')).length).toBe(1);
  await sending;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;

  const left = (await storage.keys()).filter((key) => !before.includes(key));
  expect(left).toEqual([expect.stringMatching(/^tmp\//)]);
  expect((await complete(studio.service, studio.key, body.file.id)).body.error.code).toBe('upload_incomplete');

  const again = await startProcess();
  await stream(again.service, body.upload, size);
  expect((await complete(again.service, studio.key, body.file.id)).body.file.size_bytes).toBe(size);
  expect((await bytesOf(await download(again.service, studio.key, body.file.id))).length).toBe(size);

  const sweep = () => sweepStorage(studio.service.context, new AbortController().signal);
  await sweep();
  expect(await storage.keys()).toContain(left[0]);
  await storage.age(left[0] ?? '', 25);
  await sweep();
  expect(await storage.keys()).not.toContain(left[0]);
});
