import { beforeAll, expect, test } from 'vitest';
import {
  bytesOf,
  newDeliverable,
  newFile,
  presign,
  reachable,
  someBytes,
  unknownFile,
} from '../../../test/support/files.ts';
import { newJobIn, sharedStudio, post, type Studio } from '../../../test/support/jobs.ts';
import { leasedJob, makeWorker } from '../../../test/support/workers.ts';
import type { As } from '../../../test/support/harness.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
});

const bytes = someBytes();
const ask = (id: string, body: object = {}, as: As = studio.operator.token) =>
  post(studio.service, as, `/api/operator/v1/files/${id}/download`, body);
const codeOf = async (id: string, body: object = {}, as?: As) => {
  const { status, body: got } = await ask(id, body, as);
  return [status, got.error?.code];
};

test('200 for sources of the customer and for deliverables that are not handed in yet', async () => {
  const id = await newJobIn(studio, 'running');
  const source = await newFile(studio.service, studio.key, bytes, { job_id: id });
  const made = await newDeliverable(studio.service, studio.operator.token, id, bytes);
  for (const file of [source, made]) {
    const { status, body } = await ask(file.id);
    expect(status).toBe(200);
    expect(await bytesOf(await fetch(reachable(studio.service, body.download.url)))).toEqual(bytes);
  }
});

test('200 for the worker that holds the job, and for no other, and not without its token', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker);
  const source = await newFile(studio.service, studio.key, bytes, { job_id: id });
  expect((await ask(source.id, { lease_token: token }, worker)).status).toBe(200);
  expect(await codeOf(source.id, { lease_token: token }, await makeWorker(studio))).toEqual([409, 'lease_lost']);
  expect(await codeOf(source.id, {}, worker)).toEqual([422, 'invalid_request']);
});

test('409 lease_lost: a token that is no lease', async () => {
  const id = await newJobIn(studio, 'running');
  const made = await newDeliverable(studio.service, studio.operator.token, id, bytes);
  expect(await codeOf(made.id, { lease_token: 'x' })).toEqual([409, 'lease_lost']);
});

test('422 invalid_request: an unknown field', async () => {
  expect(await codeOf(unknownFile, { token: 'x' })).toEqual([422, 'invalid_request']);
});

test('404 file_not_found: unknown, not uploaded, or of no job', async () => {
  const free = await newFile(studio.service, studio.key, bytes);
  const pending = (await presign(studio.service, studio.key, bytes)).body.file;
  for (const id of [unknownFile, 'x', free.id, pending.id]) expect(await codeOf(id)).toEqual([404, 'file_not_found']);
});
