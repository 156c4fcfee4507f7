import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bytesOf,
  complete,
  completePage,
  download,
  newUploadPage,
  openTestStorage,
  put,
  sendByPage,
  bytesFor,
  someBytes,
  storageKinds,
  type TestStorage,
} from '../../test/support/files.ts';
import type { Service } from '../../test/support/harness.ts';
import { createStudio, makeMoves, newJob, post, type Studio } from '../../test/support/jobs.ts';
import { call, connect } from '../../test/support/mcp.ts';
import { frame } from '../../test/support/pictures.ts';

describe.each(storageKinds)('stored in %s', (kind) => {
  let storage: TestStorage;
  let studio: Studio;
  let service: Service;
  beforeAll(async () => {
    storage = await openTestStorage(kind);
    studio = await createStudio(storage.env);
    service = studio.service;
  });
  afterAll(async () => {
    await service.close();
    await storage.close();
  });
  const bytes = someBytes();

  test('200 for one file: the waiting agent gets file.uploaded, made by its key, and reads the bytes', async () => {
    const client = await connect(service, studio.key);
    const { latest } = (await call(client, 'wait_for_events', { limit: 1 })).body;
    const request = { purpose: 'job_source', content_type: 'text/plain', file_name: 'logo', size_bytes: 1 };
    const { file, page } = (await call(client, 'create_upload', { ...request, idempotency_key: `k-${kind}` })).body;
    const token = new URL(page.url).hash.slice(1);
    const waiting = call(client, 'wait_for_events', { after: latest, types: ['file.uploaded'], wait: 25 });
    await sendByPage(service, token, bytes);
    const done = await completePage(service, token);
    expect([done.status, done.body]).toEqual([200, { file_name: 'brand guide.png', size_bytes: bytes.length }]);
    const [event] = (await waiting).body.events;
    expect(event).toMatchObject({ type: 'file.uploaded', job: null, data: { file_id: file.id }, actor: 'customer' });
    expect(await bytesOf(await download(service, studio.key, file.id))).toEqual(bytes);
    const { body } = await service.call('GET', '/api/v1/audit?action=file.uploaded', { as: studio.ada.token });
    expect(body.audit_entries[0]).toMatchObject({ created_by: { kind: 'api_key', name: 'test key' } });
    await client.close();
  });

  test('200 with a frame of a film as its poster; a frame that cannot be drawn is left out', async () => {
    const sendFilm = async (content_type: string, poster: string) => {
      const { token, id } = await newUploadPage(service, studio.key);
      await sendByPage(service, token, bytesFor(content_type), { content_type, file_name: 'film.mp4' });
      const { status } = await post(service, null, '/api/v1/upload-pages/complete', { token, poster });
      const { body } = await service.call('GET', `/api/v1/files/${id}`, { as: studio.key });
      return [status, body.file.status, body.file.poster_status];
    };
    expect(await sendFilm('video/mp4', await frame())).toEqual([200, 'uploaded', 'made']);
    expect(await sendFilm('video/mp4', Buffer.from('no picture').toString('base64'))).toEqual([
      200,
      'uploaded',
      'none',
    ]);
    expect(await sendFilm('application/zip', await frame())).toEqual([200, 'uploaded', 'none']);
  });

  test('200 with job.file_attached for a file of a job', async () => {
    const job_id = await newJob(service, studio.key);
    const { token, id } = await newUploadPage(service, studio.key, { job_id });
    await sendByPage(service, token, bytes);
    expect((await completePage(service, token)).status).toBe(200);
    const { body } = await service.call('GET', `/api/v1/jobs/${job_id}/events`, { as: studio.key });
    const attached = body.events.filter(({ type }: { type: string }) => type === 'job.file_attached');
    expect(attached).toMatchObject([{ data: { file_id: id } }]);
  });

  test('404 upload_page_not_found: a second time, and after the program completed the upload itself', async () => {
    const { token } = await newUploadPage(service, studio.key);
    await sendByPage(service, token, bytes);
    const answers = await Promise.all([completePage(service, token), completePage(service, token)]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect((await completePage(service, token)).body.error.code).toBe('upload_page_not_found');
    const other = await newUploadPage(service, studio.key);
    await sendByPage(service, other.token, bytes);
    expect((await complete(service, studio.key, other.id)).status).toBe(200);
    expect((await completePage(service, other.token)).body.error.code).toBe('upload_page_not_found');
  });

  test('409 upload_incomplete: nothing has arrived, and the page still works', async () => {
    const { token } = await newUploadPage(service, studio.key);
    const early = await completePage(service, token);
    expect([early.status, early.body.error.code]).toEqual([409, 'upload_incomplete']);
    await sendByPage(service, token, bytes);
    expect((await completePage(service, token)).status).toBe(200);
  });

  test('413 file_too_large: more bytes than were announced', async () => {
    const { token, id } = await newUploadPage(service, studio.key, { size_bytes: 2_000 });
    const fields = { token, content_type: 'image/png', file_name: 'a.png' };
    const { body } = await post(service, null, '/api/v1/upload-pages/start', { ...fields, size_bytes: 2_000 });
    await put(service, body.upload, bytes);
    await post(service, null, '/api/v1/upload-pages/start', { ...fields, size_bytes: 1_999 });
    const refused = await completePage(service, token);
    expect([refused.status, refused.body.error.code]).toEqual([413, 'file_too_large']);
    expect((await complete(service, studio.key, id)).body.error.code).toBe('upload_incomplete');
  });

  test('422 invalid_request: its job has ended since', async () => {
    const job_id = await newJob(service, studio.key);
    const { token } = await newUploadPage(service, studio.key, { job_id });
    await sendByPage(service, token, bytes);
    await makeMoves(studio, job_id, 'cancel');
    const refused = await completePage(service, token);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'invalid_request']);
  });
});
