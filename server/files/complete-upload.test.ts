import { beforeAll, expect, test } from 'vitest';
import { complete, newDeliverable, newFile, presign, put, someBytes, unknownFile } from '../../test/support/files.ts';
import { makeMoves, newCustomer, newJob, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import type { Service } from '../../test/support/harness.ts';

// What the storage has to do with it is tested on both storages, in test/files.test.ts.
let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await sharedStudio();
  service = studio.service;
});

const bytes = someBytes();

test('200 with the uploaded file; again the same', async () => {
  const { upload: _, ...file } = await newFile(service, studio.key, bytes);
  expect(file).toMatchObject({ status: 'uploaded', size_bytes: bytes.length, uploaded_at: expect.any(String) });
  const again = await complete(service, studio.key, file.id);
  expect([again.status, again.body]).toEqual([200, { file }]);
});

test('200 with fewer bytes than declared, which then are its size', async () => {
  const { body } = await presign(service, studio.key, bytes);
  await put(service, body.upload, bytes.subarray(0, 7));
  expect((await complete(service, studio.key, body.file.id)).body.file.size_bytes).toBe(7);
});

test('404 file_not_found: unknown, another account’s, and the studio’s own', async () => {
  const { key } = await newCustomer(service);
  const file = await newFile(service, studio.key, bytes);
  const job = await newJob(service, studio.key);
  await makeMoves(studio, job, 'accept', 'start');
  const deliverable = await newDeliverable(service, studio.operator.token, job, bytes);
  const answers = [
    await complete(service, studio.key, unknownFile),
    await complete(service, studio.key, 'x'),
    await complete(service, key, file.id),
    await complete(service, studio.key, deliverable.id),
  ];
  for (const { status, body } of answers) expect([status, body.error.code]).toEqual([404, 'file_not_found']);
});

test('409 upload_incomplete: nothing was sent, or nothing but an empty body', async () => {
  const { body } = await presign(service, studio.key, bytes);
  const early = await complete(service, studio.key, body.file.id);
  expect([early.status, early.body.error.code]).toEqual([409, 'upload_incomplete']);
  await put(service, body.upload, '');
  const empty = await complete(service, studio.key, body.file.id);
  expect([empty.status, empty.body.error.code]).toEqual([409, 'upload_incomplete']);
  await put(service, body.upload, bytes);
  expect((await complete(service, studio.key, body.file.id)).status).toBe(200);
});

test('413 file_too_large: more bytes than declared lie there', async () => {
  const { body } = await presign(service, studio.key, bytes);
  await put(service, body.upload, bytes);
  const { db } = service.context;
  await db.updateTable('files').set({ declared_bytes: 1_999 }).where('status', '=', 'pending_upload').execute();
  const answer = await complete(service, studio.key, body.file.id);
  expect([answer.status, answer.body.error.code]).toEqual([413, 'file_too_large']);
  expect((await complete(service, studio.key, body.file.id)).body.error.code).toBe('upload_incomplete');
});

test('422 invalid_request: its job has ended, or the body says something', async () => {
  const job_id = await newJob(service, studio.key);
  const { body } = await presign(service, studio.key, bytes, { job_id });
  await put(service, body.upload, bytes);
  await makeMoves(studio, job_id, 'cancel');
  expect((await complete(service, studio.key, body.file.id)).body.error.code).toBe('invalid_request');
  const path = `/api/v1/files/${body.file.id}/complete`;
  const odd = await service.call('POST', path, { as: studio.key, body: { status: 'uploaded' } });
  expect([odd.status, odd.body.error.code]).toEqual([422, 'invalid_request']);
});
