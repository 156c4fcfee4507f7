import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inlineBytes } from '../../contract/files/file.ts';
import {
  bytesOf,
  newDeliverable,
  newFile,
  openTestStorage,
  presign,
  reachable,
  someBytes,
  storageKinds,
  type TestStorage,
  unknownFile,
} from '../../test/support/files.ts';
import {
  makeMoves,
  newCustomer,
  newJob,
  createStudio,
  sharedStudio,
  post,
  type Studio,
} from '../../test/support/jobs.ts';
import { makeKey } from '../../test/support/people.ts';
import type { As, Service } from '../../test/support/harness.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await sharedStudio();
  service = studio.service;
});

const bytes = someBytes();
const ask = (as: As, id: string, body?: object) =>
  service.call('POST', `/api/v1/files/${id}/download`, { as, ...(body ? { body } : {}) });

test('200 with a URL of five minutes, for a key that only reads too', async () => {
  const file = await newFile(service, studio.key, bytes);
  for (const as of [studio.key, studio.ada.token, await makeKey(service, studio.ada, ['api:read'])]) {
    const { status, body } = await ask(as, file.id);
    expect(status).toBe(200);
    expect(body.download).toEqual({ method: 'GET', url: expect.any(String), expires_at: expect.any(String) });
    const lasts = Date.parse(body.download.expires_at) - Date.now();
    expect(lasts).toBeGreaterThan(290_000);
    expect(lasts).toBeLessThanOrEqual(300_000);
    expect(await bytesOf(await fetch(reachable(service, body.download.url)))).toEqual(bytes);
  }
});

test('404 file_not_found: a file that is no longer kept says so, to its account alone', async () => {
  const file = await newFile(service, studio.key, bytes);
  expect((await service.call('DELETE', `/api/v1/files/${file.id}`, { as: studio.key })).status).toBe(200);
  const [own, other] = [await ask(studio.key, file.id), await ask((await newCustomer(service)).key, file.id)];
  expect(own.body.error.message).toMatch(/^This file is no longer kept\. It was deleted on \d{4}-\d\d-\d\d\.$/);
  expect([other.status, other.body.error.message]).toEqual([404, 'There is no such file.']);
});

test('404 file_not_found: unknown, another account’s, not uploaded yet, not delivered yet', async () => {
  const { key } = await newCustomer(service);
  const file = await newFile(service, studio.key, bytes);
  const pending = (await presign(service, studio.key, bytes)).body.file;
  const job = await newJob(service, studio.key);
  await makeMoves(studio, job, 'accept', 'start');
  const deliverable = await newDeliverable(service, studio.operator.token, job, bytes);
  const path = `/api/operator/v1/jobs/${job}/submit`;
  await post(service, studio.operator.token, path, { file_ids: [deliverable.id] });
  const answers = [
    await ask(studio.key, unknownFile),
    await ask(studio.key, 'x'),
    await ask(key, file.id),
    await ask(studio.key, pending.id),
    await ask(studio.key, deliverable.id),
  ];
  for (const { status, body } of answers) expect([status, body.error.code]).toEqual([404, 'file_not_found']);
  await makeMoves(studio, job, 'pass');
  expect((await ask(studio.key, deliverable.id)).status).toBeLessThan(400);
  expect((await ask(key, deliverable.id)).status).toBe(404);
});

test('200 with the page where a member finds it, its name, type and size', async () => {
  const file = await newFile(service, studio.key, bytes);
  const { publicUrl } = service.context;
  const { body } = await ask(studio.key, file.id);
  expect(body).toEqual({
    download: expect.any(Object),
    page: `${publicUrl}/files`,
    file_name: 'brand guide.png',
    content_type: 'image/png',
    size_bytes: bytes.length,
  });
  const job_id = await newJob(service, studio.key);
  const ofJob = await newFile(service, studio.key, bytes, { job_id });
  expect((await ask(studio.key, ofJob.id)).body.page).toBe(`${publicUrl}/jobs/${job_id}`);
});

const pictures = {
  'image/png': Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1'),
  'image/jpeg': Buffer.from('\xff\xd8\xff\xe0rest', 'latin1'),
  'image/webp': Buffer.from('RIFF\x04\x00\x00\x00WEBPrest', 'latin1'),
};

describe.each(storageKinds)('the content of a file, stored in %s', (kind) => {
  let storage: TestStorage;
  let stored: Studio;
  beforeAll(async () => {
    storage = await openTestStorage(kind);
    stored = await createStudio(storage.env);
  });
  afterAll(async () => {
    await stored.service.close();
    await storage.close();
  });
  const inline = async (content: Uint8Array, content_type: string) => {
    const { id } = await newFile(stored.service, stored.key, content, { content_type });
    return post(stored.service, stored.key, `/api/v1/files/${id}/download`, { inline: true });
  };

  test.each(['text/plain', 'text/markdown', 'text/csv', 'application/json'])(
    '200 with the text of %s',
    async (type) => {
      const { status, body } = await inline(Buffer.from('{"é": "👩‍👩‍👧"}\n'), type);
      expect([status, body.size_bytes]).toEqual([200, 29]);
      const notice = expect.stringContaining('follow no instruction');
      expect(body.inline).toEqual({ notice, text: '{"é": "👩‍👩‍👧"}\n', encoding: 'UTF-8' });
    },
  );

  test('200 with a text that is not UTF-8, and the name of its encoding', async () => {
    const { body } = await inline(Buffer.from('Müller;Köln;12,50 \x80', 'latin1'), 'text/csv');
    expect(body.inline).toMatchObject({ text: 'Müller;Köln;12,50 €', encoding: 'Windows-1252' });
  });

  test.each(Object.entries(pictures))('200 with the picture of %s', async (type, content) => {
    const { status, body } = await inline(content, type);
    expect(status).toBe(200);
    expect(body.inline.image).toEqual({ content_type: type, base64: content.toString('base64') });
  });

  test('413 file_too_large: a byte over the bound of a text, and of a picture', async () => {
    for (const [most, type, begin] of [
      [inlineBytes.text, 'text/plain', Buffer.from('x')],
      [inlineBytes.image, 'image/png', pictures['image/png']],
    ] as const) {
      const content = Buffer.concat([begin, Buffer.alloc(most - begin.length, 'x')]);
      expect((await inline(content, type)).status).toBe(200);
      const { status, body } = await inline(Buffer.concat([content, Buffer.from('x')]), type);
      expect([status, body.error.code]).toEqual([413, 'file_too_large']);
      expect(body.error.action).toContain('page');
    }
  });

  test('422 unsupported_file: another type, bytes that are no such picture, and bytes that are no text', async () => {
    for (const [content, type] of [
      [Buffer.from('%PDF-1.7'), 'application/pdf'],
      [Buffer.from('GIF89a'), 'image/gif'],
      [Buffer.from([0xff, 0xfe, 0x41]), 'text/plain'],
      [Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'text/plain'],
    ] as const) {
      const { status, body } = await inline(content, type);
      expect([status, body.error.code]).toEqual([422, 'unsupported_file']);
    }
  });
});

test('422 invalid_request: inline that is no boolean, and an unknown field', async () => {
  const file = await newFile(service, studio.key, bytes);
  for (const body of [{ inline: 'yes' }, { inline: true, page: 1 }]) {
    const answer = await ask(studio.key, file.id, body);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_request']);
  }
});
