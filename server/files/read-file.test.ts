import { beforeAll, expect, test } from 'vitest';
import { newDeliverable, newFile, presign, someBytes, unknownFile } from '../../test/support/files.ts';
import { makeMoves, newCustomer, newJobIn, sharedStudio, post, type Studio } from '../../test/support/jobs.ts';
import type { Service } from '../../test/support/harness.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await sharedStudio();
  service = studio.service;
});

const bytes = someBytes();
const read = (id: string, as = studio.key) => service.call('GET', `/api/v1/files/${id}`, { as });

test('200 an upload, waiting and complete', async () => {
  const waiting = (await presign(service, studio.key, bytes)).body.file;
  expect(await read(waiting.id)).toMatchObject({ status: 200, body: { file: waiting } });
  const { upload: _, ...file } = await newFile(service, studio.key, bytes);
  expect((await read(file.id)).body).toEqual({ file });
});

test('404 file_not_found: unknown, of another account, and a deliverable before its release, which then is 200', async () => {
  const jobId = await newJobIn(studio, 'running');
  const { id } = await newDeliverable(service, studio.operator.token, jobId, bytes);
  await post(service, studio.operator.token, `/api/operator/v1/jobs/${jobId}/submit`, { file_ids: [id] });
  const { key } = await newCustomer(service);
  const answers = [
    await read(unknownFile),
    await read('x'),
    await read(id),
    await read((await newFile(service, studio.key, bytes)).id, key),
  ];
  for (const { status, body } of answers) expect([status, body.error.code]).toEqual([404, 'file_not_found']);
  await makeMoves(studio, jobId, 'pass');
  expect((await read(id)).body.file).toMatchObject({ id, uploaded_by: 'studio', released_at: expect.any(String) });
});
