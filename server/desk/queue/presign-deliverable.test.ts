import { beforeAll, expect, test } from 'vitest';
import { maxFileBytes } from '../../../contract/files/file-types.ts';
import { put, someBytes, wish } from '../../../test/support/files.ts';
import { livingNames, refusedNames } from '../../../test/support/names.ts';
import { makeMoves, newJob, newJobIn, sharedStudio, post, readJob, type Studio } from '../../../test/support/jobs.ts';
import { leasedJob, makeWorker } from '../../../test/support/workers.ts';
import type { As } from '../../../test/support/harness.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
});

const bytes = someBytes();
const { purpose: _, ...file } = wish(bytes);
const ask = (id: string, changes: object = {}, as: As = studio.operator.token, key?: string) =>
  post(studio.service, as, `/api/operator/v1/jobs/${id}/files/presign`, { ...file, ...changes }, key);
const codeOf = async (id: string, changes: object = {}, as?: As) => {
  const { status, body } = await ask(id, changes, as);
  return [status, body.error?.code];
};

test('201 with a file of the studio and its upload contract; the customer sees nothing of it', async () => {
  const id = await newJobIn(studio, 'running');
  const before = await readJob(studio.service, studio.key, id);
  const { status, body } = await ask(id, { retention_days: 30 });
  expect(status).toBe(201);
  expect(body.file).toMatchObject({
    job_id: id,
    purpose: 'job_deliverable',
    uploaded_by: 'studio',
    status: 'pending_upload',
    retention_days: 30,
    round: null,
  });
  expect((await put(studio.service, body.upload, bytes)).status).toBe(200);
  expect(await readJob(studio.service, studio.key, id)).toEqual(before);
});

test('201 once per Idempotency-Key', async () => {
  const id = await newJobIn(studio, 'running');
  const first = await ask(id, {}, studio.operator.token, 'once');
  const second = await ask(id, {}, studio.operator.token, 'once');
  expect([second.status, second.body]).toEqual([201, first.body]);
});

test('422 idempotency_key_conflict: the key with another file', async () => {
  const id = await newJobIn(studio, 'running');
  await ask(id, {}, studio.operator.token, 'once');
  const other = await ask(id, { size_bytes: 1 }, studio.operator.token, 'once');
  expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_conflict']);
});

test('201 for the worker that holds the job', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker);
  expect((await ask(id, { lease_token: token }, worker)).status).toBe(201);
});

test('409 lease_lost: for another worker, and once the job is taken away', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker);
  const other = await makeWorker(studio);
  expect(await codeOf(id, { lease_token: token }, other)).toEqual([409, 'lease_lost']);
  await makeMoves(studio, id, 'reject');
  expect(await codeOf(id, { lease_token: token }, worker)).toEqual([409, 'lease_lost']);
});

test('422 invalid_request: a worker without its lease token, a job that has ended, an unknown field', async () => {
  const id = await newJobIn(studio, 'running');
  expect(await codeOf(id, {}, await makeWorker(studio))).toEqual([422, 'invalid_request']);
  expect(await codeOf(await newJobIn(studio, 'canceled'))).toEqual([422, 'invalid_request']);
  expect(await codeOf(id, { job_id: id })).toEqual([422, 'invalid_request']);
});

test('422 unsupported_file: a type that is not taken, a purpose that is not a deliverable', async () => {
  const id = await newJob(studio.service, studio.key);
  expect(await codeOf(id, { content_type: 'application/x-msdownload' })).toEqual([422, 'unsupported_file']);
  expect(await codeOf(id, { purpose: 'job_source' })).toEqual([422, 'unsupported_file']);
  expect((await ask(id, { purpose: 'job_deliverable' })).status).toBe(201);
});

test('201 for a type by another common name', async () => {
  const id = await newJobIn(studio, 'running');
  const { status, body } = await ask(id, { content_type: 'application/x-zip-compressed' });
  expect([status, body.file.content_type]).toEqual([201, 'application/zip']);
});

test('201 with names in letters of every script', async () => {
  const id = await newJobIn(studio, 'running');
  for (const file_name of livingNames) expect((await ask(id, { file_name })).body.file.file_name).toBe(file_name);
});

test.each(refusedNames)('422 invalid_request: the name %j, which hides something', async (file_name) => {
  const id = await newJobIn(studio, 'running');
  expect(await codeOf(id, { file_name })).toEqual([422, 'invalid_request']);
});

test('422 unsafe_request: a credential in the name', async () => {
  const id = await newJob(studio.service, studio.key);
  expect(await codeOf(id, { file_name: studio.key })).toEqual([422, 'unsafe_request']);
});

test('413 file_too_large: a byte over 100 MiB', async () => {
  const id = await newJob(studio.service, studio.key);
  expect(await codeOf(id, { size_bytes: maxFileBytes + 1 })).toEqual([413, 'file_too_large']);
});
