import { beforeAll, expect, test } from 'vitest';
import { newDeliverable, newFile, someBytes, unknownFile } from '../../../test/support/files.ts';
import { makeMoves, newJobIn, sharedStudio, post, readJob, type Studio } from '../../../test/support/jobs.ts';
import { frame } from '../../../test/support/pictures.ts';
import { leasedJob, makeWorker } from '../../../test/support/workers.ts';
import type { As } from '../../../test/support/harness.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const video = { content_type: 'video/mp4' };
const send = async (as: As, id: string) =>
  post(studio.service, as, `/api/operator/v1/files/${id}/poster`, { jpeg: await frame() });

test('201: the customer sees it with the delivery', async () => {
  const { service, operator } = studio;
  const job = await newJobIn(studio, 'running');
  const { id } = await newDeliverable(service, operator.token, job, someBytes(), video);
  const { status, body, headers } = await send(operator.token, id);
  expect([status, body.file.poster_status]).toEqual([201, 'made']);
  expect(headers.get('location')).toBe(`/api/operator/v1/files/${id}/download`);
  expect((await post(service, operator.token, `/api/operator/v1/jobs/${job}/submit`, { file_ids: [id] })).status).toBe(
    200,
  );
  await makeMoves(studio, job, 'pass');
  expect((await readJob(service, studio.key, job)).job.files).toMatchObject([{ id, poster: body.file.poster }]);
});

test('404 file_not_found: any other file; a worker sends posters of its own deliverables', async () => {
  const { service, operator, key } = studio;
  const worker = await makeWorker(studio);
  const { id: job, token } = await leasedJob(studio, worker, 'running');
  const own = await newDeliverable(service, worker, job, someBytes(), { ...video, lease_token: token });
  expect((await send(worker, own.id)).status).toBe(201);
  const other = await newDeliverable(service, operator.token, await newJobIn(studio, 'running'), someBytes(), video);
  const customers = await newFile(service, key, someBytes(), { ...video, job_id: job });
  for (const answer of [
    await send(worker, other.id),
    await send(worker, customers.id),
    await send(operator.token, customers.id),
    await send(operator.token, unknownFile),
  ])
    expect([answer.status, answer.body.error.code]).toEqual([404, 'file_not_found']);
});

test('409 file_in_use: a delivered file keeps its poster', async () => {
  const { service, operator } = studio;
  const job = await newJobIn(studio, 'running');
  const { id } = await newDeliverable(service, operator.token, job, someBytes(), video);
  await post(service, operator.token, `/api/operator/v1/jobs/${job}/submit`, { file_ids: [id] });
  expect((await send(operator.token, id)).status).toBe(201);
  await makeMoves(studio, job, 'pass');
  const late = await send(operator.token, id);
  expect([late.status, late.body.error.code]).toEqual([409, 'file_in_use']);
});

test('409 upload_incomplete: before the video is there', async () => {
  const path = `/api/operator/v1/jobs/${await newJobIn(studio, 'running')}/files/presign`;
  const { body } = await post(studio.service, studio.operator.token, path, {
    ...video,
    file_name: 'cut.mp4',
    size_bytes: 10,
  });
  const answer = await send(studio.operator.token, body.file.id);
  expect([answer.status, answer.body.error.code]).toEqual([409, 'upload_incomplete']);
});

test('422 invalid_request: no JPEG', async () => {
  const { service, operator } = studio;
  const { id } = await newDeliverable(service, operator.token, await newJobIn(studio, 'running'), someBytes(), video);
  const bad = await post(service, operator.token, `/api/operator/v1/files/${id}/poster`, { jpeg: 'AAAA' });
  expect([bad.status, bad.body.error.code]).toEqual([422, 'invalid_request']);
});

test('422 unsupported_file: a picture', async () => {
  const { service, operator } = studio;
  const { id } = await newDeliverable(service, operator.token, await newJobIn(studio, 'running'), someBytes());
  const answer = await send(operator.token, id);
  expect([answer.status, answer.body.error.code]).toEqual([422, 'unsupported_file']);
});
