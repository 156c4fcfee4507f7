import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { newDeliverable, newFile, put, someBytes, unknownFile, wish } from '../../../test/support/files.ts';
import { makeMoves, newJob, newJobIn, sharedStudio, post, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { leasedJob, makeWorker } from '../../../test/support/workers.ts';
import type { As } from '../../../test/support/harness.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
});

const bytes = someBytes();
const { purpose: _, ...file } = wish(bytes);
const presign = async (id: string, as: As = studio.operator.token, changes: object = {}) =>
  (await post(studio.service, as, `/api/operator/v1/jobs/${id}/files/presign`, { ...file, ...changes })).body;
const ask = (id: string, as: As = studio.operator.token) =>
  post(studio.service, as, `/api/operator/v1/files/${id}/complete`);
const codeOf = async (id: string, as?: As) => {
  const { status, body } = await ask(id, as);
  return [status, body.error?.code];
};

test('200 with the file, again the same, and it stands at the desk', async () => {
  const id = await newJobIn(studio, 'running');
  const done = await newDeliverable(studio.service, studio.operator.token, id, bytes);
  expect(done).toMatchObject({ status: 'uploaded', uploaded_by: 'studio', round: null, released_at: null });
  expect((await ask(done.id)).body).toEqual({ file: done });
  const desk = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token });
  expect(desk.body.job.files).toEqual([done]);
});

test('200 for the worker that asked for it, and for operators; another worker finds nothing', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker);
  const { file: made, upload } = await presign(id, worker, { lease_token: token });
  await put(studio.service, upload, bytes);
  expect(await codeOf(made.id, await makeWorker(studio))).toEqual([404, 'file_not_found']);
  expect((await ask(made.id, worker)).status).toBe(200);
  expect((await ask(made.id)).status).toBe(200);
});

test('409 lease_lost: the job was taken from the worker, and the file does not stand there', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker);
  const { file: made, upload } = await presign(id, worker, { lease_token: token });
  expect((await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${id}/hold`)).status).toBe(200);
  await put(studio.service, upload, bytes);
  expect(await codeOf(made.id, worker)).toEqual([409, 'lease_lost']);
  const desk = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token });
  expect(desk.body.job.files).toEqual([]);
  expect((await ask(made.id)).status).toBe(200); // an operator may use what was uploaded
});

test.each([
  ['the lease has expired', sql`lease_expires_at = now() - interval '1 ms'`],
  ['another worker has it', sql`worker_key_id = (select id from worker_keys w where w.id <> j.worker_key_id limit 1)`],
])('409 lease_lost: %s', async (_, change) => {
  const [worker] = [await makeWorker(studio), await makeWorker(studio)];
  const { id, token } = await leasedJob(studio, worker);
  const { file: made, upload } = await presign(id, worker, { lease_token: token });
  await put(studio.service, upload, bytes);
  await sql`update jobs j set ${change} where id = ${uuidOf('job', id)}`.execute(studio.service.context.db);
  expect(await codeOf(made.id, worker)).toEqual([409, 'lease_lost']);
});

test('404 file_not_found: unknown, and what a customer uploaded', async () => {
  const own = await newFile(studio.service, studio.key, bytes);
  for (const id of [unknownFile, 'x', own.id]) expect(await codeOf(id)).toEqual([404, 'file_not_found']);
});

test('409 upload_incomplete: nothing was sent', async () => {
  const { file: made } = await presign(await newJob(studio.service, studio.key));
  expect(await codeOf(made.id)).toEqual([409, 'upload_incomplete']);
});

test('413 file_too_large: more bytes than declared lie there', async () => {
  const { file: made, upload } = await presign(await newJob(studio.service, studio.key));
  await put(studio.service, upload, bytes);
  const { db } = studio.service.context;
  await db.updateTable('files').set({ declared_bytes: 1 }).where('status', '=', 'pending_upload').execute();
  expect(await codeOf(made.id)).toEqual([413, 'file_too_large']);
});

test('422 invalid_request: its job has ended', async () => {
  const id = await newJob(studio.service, studio.key);
  const { file: made, upload } = await presign(id);
  await put(studio.service, upload, bytes);
  await makeMoves(studio, id, 'cancel');
  expect(await codeOf(made.id)).toEqual([422, 'invalid_request']);
});
