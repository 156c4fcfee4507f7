import { beforeAll, expect, test } from 'vitest';
import { completePage, newUploadPage, sendByPage, someBytes } from '../../test/support/files.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { sharedStudio, newCustomer, post, type Studio } from '../../test/support/jobs.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await sharedStudio();
  service = studio.service;
});

const start = (token: string, changes: object = {}, at = service) =>
  post(at, null, '/api/v1/upload-pages/start', {
    token,
    file_name: 'photo.jpg',
    content_type: 'image/jpeg',
    size_bytes: 20,
    ...changes,
  });

test('200 with where to send the bytes; name, type and size are those of what was dropped', async () => {
  const { token, id } = await newUploadPage(service, studio.key);
  const { status, body } = await start(token);
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['upload']);
  expect(body.upload.headers).toEqual({ 'content-type': 'image/jpeg', 'x-service-max-size': '20' });
  const { body: read } = await service.call('GET', `/api/v1/files/${id}`, { as: studio.key });
  const file = { file_name: 'photo.jpg', content_type: 'image/jpeg', size_bytes: 20, status: 'pending_upload' };
  expect(read.file).toMatchObject(file);
});

test('200 again with another file, before one has arrived: the last one counts', async () => {
  const { token, id } = await newUploadPage(service, studio.key);
  await sendByPage(service, token, someBytes(5), { content_type: 'application/pdf', file_name: 'a.pdf' });
  const bytes = Buffer.from('\xff\xd8\xff frame', 'latin1');
  await sendByPage(service, token, bytes, { content_type: 'image/jpeg', file_name: 'b.jpg' });
  expect((await completePage(service, token)).body).toEqual({ file_name: 'b.jpg', size_bytes: 9 });
  const { body } = await service.call('GET', `/api/v1/files/${id}`, { as: studio.key });
  expect(body.file).toMatchObject({ file_name: 'b.jpg', content_type: 'image/jpeg', status: 'uploaded' });
});

test('200 for a type by another common name', async () => {
  const { token } = await newUploadPage(service, studio.key);
  const { body } = await start(token, { content_type: 'image/jpg' });
  expect(body.upload.headers['content-type']).toBe('image/jpeg');
});

test('404 upload_page_not_found: an unknown token, and a used one', async () => {
  const { token } = await newUploadPage(service, studio.key);
  await sendByPage(service, token, someBytes(9));
  await completePage(service, token);
  for (const text of ['x', token]) {
    const { status, body } = await start(text);
    expect([status, body.error.code]).toEqual([404, 'upload_page_not_found']);
  }
});

test.each([
  ['413 file_too_large', { size_bytes: 104_857_601 }],
  ['422 unsupported_file', { content_type: 'application/x-msdownload' }],
  ['422 unsafe_request', { file_name: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc.txt' }],
  ['422 invalid_request', { file_name: 'a\nb' }],
])('%s: as any upload', async (said, changes) => {
  const { token } = await newUploadPage(service, studio.key);
  const { status, body } = await start(token, changes);
  expect(`${status} ${body.error.code}`).toBe(said);
  expect((await start(token)).status).toBe(200);
});

test('413 file_too_large, and not for its own place: what the account may store counts without the file that it replaces', async () => {
  const small = await createService({ MAX_PENDING_UPLOADS: '1', MAX_STORED_BYTES: '1000' });
  const { key } = await newCustomer(small, 'studio');
  const { token } = await newUploadPage(small, key, { size_bytes: 900 });
  expect((await start(token, { size_bytes: 1000 }, small)).status).toBe(200);
  expect((await start(token, { size_bytes: 1001 }, small)).body.error.code).toBe('file_too_large');
  await small.close();
});

test('403 entitlement_required: without a plan, more than 25 MiB together', async () => {
  const { key } = await newCustomer(service);
  for (let n = 0; n < 2; n++) await newUploadPage(service, key);
  const { token } = await newUploadPage(service, key);
  const { status, body } = await start(token, { size_bytes: 25 * 1024 ** 2 });
  expect([status, body.error.code]).toEqual([403, 'entitlement_required']);
  expect((await start(token)).status).toBe(200);
});
