import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { deadlines } from '../server/lib/deadlines.ts';
import {
  complete,
  newFile,
  openTestStorage,
  presign,
  put,
  someBytes,
  storageSeenAt,
  type TestStorage,
} from '../test/support/files.ts';
import type { Service } from '../test/support/harness.ts';
import { createStudio, type Studio } from '../test/support/jobs.ts';
import { waitAsInProduction, waitLonger } from '../test/support/patience.ts';
import { checkStorages } from '../server/doctor/check-storage.ts';
import { claimStorage } from '../server/files/installation.ts';
import { sweepOrphans } from '../server/files/sweep-storage.ts';

// What both storages promise is tested in test/journeys/files.test.ts; here is what only a bucket can do to us.
let storage: TestStorage;
let studio: Studio;
beforeAll(async () => {
  storage = await openTestStorage('s3');
  studio = await createStudio(storage.env);
});
afterAll(async () => {
  await studio?.service.close();
  await storage?.close();
});

const bytes = someBytes();

async function uploaded(): Promise<string> {
  const { body } = await presign(studio.service, studio.key, bytes);
  expect((await put(studio.service, body.upload, bytes)).status).toBe(200);
  return body.file.id;
}

test('409 upload_incomplete: what lies there has another content type than was declared', async () => {
  const { body } = await presign(studio.service, studio.key, bytes);
  const { pathname } = new URL(body.upload.url);
  const terms = { contentType: 'text/html', bytes: bytes.length, from: new Date(), seconds: 60 };
  const url = await studio.service.context.storage.uploadUrl(pathname.replace('/atelier/', ''), terms);
  const headers = { 'content-type': 'text/html', 'x-service-max-size': String(bytes.length) };
  expect((await fetch(url, { method: 'PUT', headers, body: bytes })).status).toBe(200);
  const answer = await complete(studio.service, studio.key, body.file.id);
  expect([answer.status, answer.body.error.code]).toEqual([409, 'upload_incomplete']);
  expect(answer.body.error.message).toContain('text/html');
  expect(await storage.keys()).toEqual([]);
});

describe('a bucket that does not answer', () => {
  beforeAll(waitAsInProduction);
  afterAll(waitLonger);

  test('503; presign works, and complete does afterwards', async () => {
    const id = await uploaded();
    storage.signal('SIGSTOP');
    try {
      const answer = await complete(studio.service, studio.key, id);
      // A request that ends by its own deadline says 2.
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
      expect(deadlines.storage.answer).toBeLessThan(deadlines.request.answer);
      expect((await presign(studio.service, studio.key, bytes)).status).toBe(201);
    } finally {
      storage.signal('SIGCONT');
    }
    expect((await complete(studio.service, studio.key, id)).status).toBe(200);
  });

  test('a move to the trash may take longer than the answer to a request', async () => {
    await newFile(studio.service, studio.key, bytes);
    const key = (await storage.keys()).find((one) => one.startsWith('files/')) ?? '';
    const { storage: files } = studio.service.context;
    storage.signal('SIGSTOP');
    const moving = files.move(key, `trash/2026-01-01/${key}`);
    setTimeout(() => storage.signal('SIGCONT'), 5_000);
    await moving;
    expect(await storage.keys()).toContain(`trash/2026-01-01/${key}`);
    await files.remove(`trash/2026-01-01/${key}`);
  });
});

/** A minute after the start of a process: what the log, readiness, the metric and doctor say. */
async function expectSeen(service: Service, message: string): Promise<void> {
  const error = vi.spyOn(service.context.log, 'error').mockImplementation(() => {});
  await service.context.storageWatch.probe();
  await service.context.storageWatch.probe();
  expect(error.mock.calls.map(([, text]) => text)).toEqual([`The storage ${message}.`]);
  expect(await storageSeenAt(service)).toEqual([message, '0']);
  expect((await checkStorages(service.context.db)).sentence).toContain(` ${message}.`);
}

test('503 where there is no such bucket', async () => {
  const STORAGE_URL = storage.env['STORAGE_URL']?.replace('s3://atelier?', 's3://nothing-here?') ?? '';
  const other = await createStudio({ STORAGE_URL });
  const { body } = await presign(other.service, other.key, bytes);
  expect((await complete(other.service, other.key, body.file.id)).status).toBe(503);
  await expectSeen(other.service, 'cannot be read: NoSuchBucket');
  await other.service.close();
});

test('503 with credentials that the bucket does not know', async () => {
  process.env['AWS_SECRET_ACCESS_KEY'] = 'wrong';
  const other = await createStudio(storage.env);
  const { body } = await presign(other.service, other.key, bytes); // the SDK reads them now
  process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER';
  await expectSeen(other.service, 'cannot be read: SignatureDoesNotMatch');
  expect((await put(other.service, body.upload, bytes)).status).toBe(403);
  expect((await complete(other.service, other.key, body.file.id)).status).toBe(503);
  await other.service.close();
});

test('a byte less is not what was signed: the length is part of the signature', async () => {
  const { body } = await presign(studio.service, studio.key, bytes);
  expect(body.upload.url).toContain('SignedHeaders=content-length%3Bcontent-type%3Bhost%3Bx-service-max-size');
  expect((await put(studio.service, body.upload, bytes.subarray(1))).status).toBe(403);
});

test('the SDK is not loaded where the storage is a folder', () => {
  const script = `
    const { createStorage } = await import('./server/files/create-storage.ts');
    const signer = { sign: () => 'x', holds: () => true };
    const storage = createStorage({ folder: '/nowhere' }, signer, 'http://localhost');
    await storage.uploadUrl('uploads/a.png', { contentType: 'image/png', bytes: 1, from: new Date(), seconds: 1 });
    const { default: module } = await import('node:module');
    console.log(Object.keys(module._cache).filter((path) => path.includes('aws-sdk')).length);`;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString().trim()).toBe('0');
});

describe('installations with folders of one bucket', () => {
  const inFolder = (folder: string) =>
    createStudio({ STORAGE_URL: storage.env['STORAGE_URL']!.replace('atelier?', `atelier/${folder}?`) });

  test('neither sees, sweeps or claims what is in the other', async () => {
    const [ours, theirs] = [await inFolder('studio_a'), await inFolder('studio_b/')];
    for (const { service } of [ours, theirs]) expect(await claimStorage(service.context)).toBeNull();
    const files = [await newFile(ours.service, ours.key, bytes), await newFile(theirs.service, theirs.key, bytes)];
    const keys = (await storage.keys()).filter((key) => key.startsWith('studio_'));
    expect(keys.map((key) => key.replace(/[\da-f]{8}-[\da-f-]+/, '<id>')).toSorted()).toEqual([
      'studio_a/atelier-installation',
      'studio_a/files/<id>.png',
      'studio_b/atelier-installation',
      'studio_b/files/<id>.png',
    ]);
    await theirs.service.context.db.deleteFrom('files').execute();
    for (const key of keys) await storage.age(key, 48);
    const stopped = new AbortController().signal;
    expect((await sweepOrphans(ours.service.context, stopped)).orphans).toEqual([]);
    const swept = await sweepOrphans(theirs.service.context, stopped);
    expect(swept.orphans.every((key) => /^(files|uploads)\//.test(key))).toBe(true);
    expect(swept.moved).toBeGreaterThan(0);
    const path = `/api/v1/files/${files[0].id}/download`;
    const { body } = await ours.service.call('POST', path, { as: ours.key });
    expect(Buffer.from(await (await fetch(body.download.url)).arrayBuffer())).toEqual(Buffer.from(bytes));
    await Promise.all([ours.service.close(), theirs.service.close()]);
  });
});
