import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  complete,
  download,
  newDeliverable,
  newFile,
  openTestStorage,
  presign,
  put,
  someBytes,
  type TestStorage,
  unknownFile,
} from '../../test/support/files.ts';
import {
  createJob,
  makeMoves,
  newCustomer,
  newJobIn,
  createStudio,
  post,
  type Studio,
} from '../../test/support/jobs.ts';
import type { Service } from '../../test/support/harness.ts';

let storage: TestStorage;
let studio: Studio;
let service: Service;
beforeAll(async () => {
  storage = await openTestStorage('file');
  studio = await createStudio(storage.env);
  service = studio.service;
});
afterAll(async () => {
  await service.close();
  await storage.close();
});

const bytes = someBytes();
const remove = (id: string, as = studio.key) => service.call('DELETE', `/api/v1/files/${id}`, { as });

test('200 the bytes are gone at once, the file stays as deleted; again the same', async () => {
  const { upload: _, ...file } = await newFile(service, studio.key, bytes);
  const before = await storage.keys();
  const { status, body } = await remove(file.id);
  expect([status, body.file]).toEqual([
    200,
    { ...file, poster_status: 'none', status: 'deleted', deleted_at: expect.any(String) },
  ]);
  expect(await storage.keys()).toHaveLength(before.length - 1);
  expect(await remove(file.id)).toMatchObject({ status: 200, body });
  expect((await post(service, studio.key, `/api/v1/files/${file.id}/download`)).status).toBe(404);
  expect((await createJob(service, studio.key, { file_ids: [file.id] })).status).toBe(422);
  expect((await complete(service, studio.key, file.id)).body).toEqual(body);
});

test('200 an upload that waits for its bytes is ended, sent or not', async () => {
  const { body } = await presign(service, studio.key, bytes);
  await put(service, body.upload, bytes);
  const before = await storage.keys();
  const { status, body: deleted } = await remove(body.file.id);
  expect([status, deleted.file.status, deleted.file.uploaded_at]).toEqual([200, 'deleted', null]);
  expect(await storage.keys()).toHaveLength(before.length - 1);
  const late = await complete(service, studio.key, body.file.id);
  expect([late.status, late.body.error.code]).toEqual([409, 'upload_incomplete']);
});

test('200 of ten deletions and completions at once: the file is deleted, and no bytes stay', async () => {
  const { body } = await presign(service, studio.key, bytes);
  await put(service, body.upload, bytes);
  const before = await storage.keys();
  await Promise.all(
    Array.from({ length: 5 }, () => [remove(body.file.id), complete(service, studio.key, body.file.id)]).flat(),
  );
  expect((await remove(body.file.id)).body.file.status).toBe('deleted');
  expect(await storage.keys()).toHaveLength(before.length - 1);
});

test('409 file_in_use: while its job has not ended', async () => {
  const file = await newFile(service, studio.key, bytes);
  const { job } = (await createJob(service, studio.key, { file_ids: [file.id] })).body;
  const { status, body } = await remove(file.id);
  expect([status, body.error.code]).toEqual([409, 'file_in_use']);
  await makeMoves(studio, job.id, 'cancel');
  expect((await remove(file.id)).body.file).toMatchObject({ status: 'deleted', job_id: job.id });
});

test('404 file_not_found: unknown, of another account, and delivered work', async () => {
  const jobId = await newJobIn(studio, 'running');
  const { id } = await newDeliverable(service, studio.operator.token, jobId, bytes);
  await post(service, studio.operator.token, `/api/operator/v1/jobs/${jobId}/submit`, { file_ids: [id] });
  await makeMoves(studio, jobId, 'pass', 'approve');
  const { key } = await newCustomer(service);
  const own = await newFile(service, studio.key, bytes);
  for (const answer of [await remove(unknownFile), await remove('x'), await remove(id), await remove(own.id, key)])
    expect([answer.status, answer.body.error.code]).toEqual([404, 'file_not_found']);
  expect((await download(service, studio.key, own.id)).status).toBe(200);
});

test('503 from a storage that is away: asked again, the bytes go', async () => {
  const file = await newFile(service, studio.key, bytes);
  const before = await storage.keys();
  await storage.down();
  expect((await remove(file.id)).status).toBe(503);
  await storage.up();
  expect((await remove(file.id)).body.file.status).toBe('deleted');
  expect(await storage.keys()).toHaveLength(before.length - 1);
});
