import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bytesOf,
  complete,
  download,
  newFile,
  openTestStorage,
  presign,
  put,
  reachable,
  someBytes,
  type TestStorage,
  type Upload,
} from '../../test/support/files.ts';
import { createStudio, type Studio } from '../../test/support/jobs.ts';
import { createService, environment, type Service } from '../../test/support/harness.ts';
import { signQuery } from './signed-url.ts';

// What both storages promise is tested in test/files.test.ts; here is what only our own has to get right.
let storage: TestStorage;
let studio: Studio;
let service: Service;
beforeAll(async () => {
  storage = await openTestStorage('file');
  studio = await createStudio(storage.env);
  service = studio.service;
});
afterAll(async () => {
  await service?.close();
  await storage?.close();
});

const bytes = someBytes(200_000);
const wanted = async (changes: object = {}): Promise<{ id: string; upload: Upload }> => {
  const { body } = await presign(service, studio.key, bytes, changes);
  return { id: body.file.id, upload: body.upload };
};

/** A PUT with whatever headers, written piece by piece. The answer, or why there was none. */
function send(
  upload: Upload,
  headers: Record<string, string>,
  pieces: Uint8Array[],
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(reachable(service, upload.url), { method: 'PUT', headers: { ...upload.headers, ...headers } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    for (const piece of pieces) sent.write(piece);
    sent.end();
  });
}
const codeOf = (text: string) => (JSON.parse(text) as { error: { code: string } }).error.code;

describe('a length that is not told, or a lie', () => {
  test('200 in chunks without a length, up to the limit', async () => {
    const { id, upload } = await wanted();
    const halves = [bytes.subarray(0, 90_000), bytes.subarray(90_000)];
    expect((await send(upload, { 'transfer-encoding': 'chunked' }, halves)).status).toBe(200);
    expect((await complete(service, studio.key, id)).body.file.size_bytes).toBe(200_000);
    expect(await bytesOf(await download(service, studio.key, id))).toEqual(bytes);
  });

  test('413 file_too_large in chunks a byte over it, and nothing is left', async () => {
    const { id, upload } = await wanted();
    const before = await storage.keys();
    const over = await send(upload, { 'transfer-encoding': 'chunked' }, [bytes, Buffer.from('!')]);
    expect([over.status, codeOf(over.text)]).toEqual([413, 'file_too_large']);
    expect(await storage.keys()).toEqual(before);
    expect((await complete(service, studio.key, id)).body.error.code).toBe('upload_incomplete');
  });

  test('413 file_too_large for far too many bytes; the sender still reads why', async () => {
    const { upload } = await wanted();
    const before = await storage.keys();
    const flood = Array.from({ length: 200 }, () => Buffer.alloc(65_536));
    const over = await send(upload, { 'transfer-encoding': 'chunked' }, flood);
    expect([over.status, codeOf(over.text)]).toEqual([413, 'file_too_large']);
    const told = await send(upload, { 'content-length': String(200 * 65_536) }, flood);
    expect([told.status, codeOf(told.text)]).toEqual([413, 'file_too_large']);
    expect(await storage.keys()).toEqual(before);
  });

  test('a length that is never reached leaves nothing once the connection is gone', async () => {
    const { upload } = await wanted();
    const before = await storage.keys();
    const { pathname, search, port } = new URL(reachable(service, upload.url));
    const socket = connect(Number(port), '127.0.0.1');
    const head = [`PUT ${pathname}${search} HTTP/1.1`, 'Host: a', 'Content-Length: 200000'];
    const headers = Object.entries(upload.headers).map(([name, value]) => `${name}: ${value}`);
    socket.write([...head, ...headers, '', ''].join('\r\n'));
    socket.write(bytes.subarray(0, 100_000));
    await expect.poll(async () => (await storage.keys()).length).toBe(before.length + 1);
    socket.destroy();
    await expect.poll(() => storage.keys()).toEqual(before);
  });

  test('a length below what is sent ends the connection, and nothing half-written is left', async () => {
    const { upload } = await wanted();
    const { pathname, search, port } = new URL(reachable(service, upload.url));
    const socket = connect(Number(port), '127.0.0.1');
    const headers = Object.entries(upload.headers).map(([name, value]) => `${name}: ${value}`);
    socket.write(
      [`PUT ${pathname}${search} HTTP/1.1`, 'Host: a', 'Content-Length: 10', ...headers, '', ''].join('\r\n'),
    );
    socket.write(bytes);
    const got = await new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('error', () => resolve(text));
      socket.on('close', () => resolve(text));
    });
    expect(got).toMatch(/^HTTP\/1\.1 400/);
    await expect.poll(async () => (await storage.keys()).filter((key) => key.startsWith('tmp/'))).toEqual([]);
  });
});

test('the same URL may be used again until the file is completed: the last upload counts', async () => {
  const { id, upload } = await wanted();
  await put(service, upload, someBytes(200_000));
  await put(service, upload, bytes);
  await complete(service, studio.key, id);
  expect(await bytesOf(await download(service, studio.key, id))).toEqual(bytes);
});

test('an URL of another installation, with another key, is worth nothing and asks the database nothing', async () => {
  const other = await createService({ ...storage.env, SECRET_KEY: 'x'.repeat(32) });
  try {
    const { upload } = await wanted();
    await other.context.db.destroy();
    const poster = await fetch(`${other.url}/storage/posters/a.webp?expires=99999999999&signature=x`);
    expect(poster.status).toBe(403);
    const answer = await put(other, upload, bytes);
    expect([answer.status, codeOf(answer.text)]).toEqual([403, 'signed_url_invalid']);
  } finally {
    await other.close();
  }
});

test('a URL that was signed before the key was replaced still works', async () => {
  const { upload } = await wanted();
  const env = { ...storage.env, SECRET_KEY: `${'n'.repeat(32)},${environment.SECRET_KEY}` };
  const later = await createService(env, { databaseUrl: service.databaseUrl });
  try {
    expect((await put(later, upload, bytes)).status).toBe(200);
  } finally {
    await later.close();
  }
});

test('a download cannot run, frame or fetch anything', async () => {
  const file = await newFile(service, studio.key, Buffer.from('<script>alert(1)</script>'), {
    content_type: 'text/plain',
  });
  const { headers } = await download(service, studio.key, file.id);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  expect(headers.get('content-disposition')).toMatch(/^attachment; /);
  expect(headers.get('content-type')).toBe('text/plain');
});

describe('parts of a file', () => {
  test('206 only while If-Range names what is there; else everything', async () => {
    const file = await newFile(service, studio.key, bytes);
    const etag = (await download(service, studio.key, file.id)).headers.get('etag') ?? '';
    const part = (condition: string) =>
      download(service, studio.key, file.id, { headers: { range: 'bytes=0-9', 'if-range': condition } });
    expect((await part(etag)).status).toBe(206);
    expect((await bytesOf(await part('"other"'))).length).toBe(200_000);
  });

  test('416 with the size, in the envelope', async () => {
    const file = await newFile(service, studio.key, bytes);
    const answer = await download(service, studio.key, file.id, { headers: { range: 'bytes=200000-' } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */200000']);
    expect(codeOf(await answer.text())).toBe('invalid_request');
  });

  test('200 for many ranges at once', async () => {
    const file = await newFile(service, studio.key, bytes);
    const range = `bytes=${Array.from({ length: 500 }, (_, n) => `${n}-`).join(',')}`;
    const answer = await download(service, studio.key, file.id, { headers: { range } });
    expect([answer.status, (await bytesOf(answer)).length]).toEqual([200, 200_000]);
  });
});

test('404 not_found: a good URL whose bytes are gone', async () => {
  const file = await newFile(service, studio.key, bytes);
  const { db } = service.context;
  const rows = await db.selectFrom('files').select('object_key').where('object_key', 'is not', null).execute();
  for (const { object_key } of rows) await service.context.storage.remove(object_key ?? '');
  const answer = await download(service, studio.key, file.id);
  expect([answer.status, codeOf(await answer.text())]).toEqual([404, 'not_found']);
});

test('403 signed_url_invalid: a URL that is over, and one that was signed for another file', async () => {
  const { signer } = service.context;
  const [{ upload }, other] = [await wanted(), await wanted()];
  const { pathname } = new URL(upload.url);
  const { 'content-type': type = '', 'x-service-max-size': size = '' } = upload.headers;
  const terms = { method: 'PUT' as const, key: pathname.replace('/storage/', ''), signedValues: [type, size] };
  const signedUntil = (seconds: number) =>
    signQuery(signer, { ...terms, expires: String(Math.floor(Date.now() / 1000) + seconds) });
  const putTo = async (url: string) => (await put(service, { ...upload, url }, bytes)).status;
  const { origin } = new URL(upload.url);
  expect(await putTo(`${origin}${new URL(other.upload.url).pathname}?${signedUntil(60)}`)).toBe(403);
  expect(await putTo(`${origin}${pathname}?${signedUntil(-1)}`)).toBe(403);
  expect(await putTo(`${origin}${pathname}?${signedUntil(60)}`)).toBe(200);
});
