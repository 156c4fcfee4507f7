import { beforeAll, expect, test } from 'vitest';
import { newDeliverable, newFile, presign, someBytes } from '../../test/support/files.ts';
import {
  makeMoves,
  newCustomer,
  newJob,
  sharedStudio,
  post,
  type Studio,
  unknownJob,
} from '../../test/support/jobs.ts';
import type { As, Service } from '../../test/support/harness.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await sharedStudio();
  service = studio.service;
});

const bytes = someBytes();
const list = (as: As, query = '') => service.call('GET', `/api/v1/files${query}`, { as });
const ids = ({ body }: Awaited<ReturnType<typeof list>>) => body.files.map(({ id }: { id: string }) => id);

test('200 newest first: uploads in every status, and deliverables once they are released', async () => {
  const { key } = await newCustomer(service, 'studio');
  const jobId = await newJob(service, key);
  const waiting = (await presign(service, key, bytes)).body.file;
  const { upload: _, ...source } = await newFile(service, key, bytes, { job_id: jobId });
  await makeMoves(studio, jobId, 'accept', 'start');
  const deliverable = await newDeliverable(service, studio.operator.token, jobId, bytes);
  expect(ids(await list(key))).toEqual([source.id, waiting.id]);

  await post(service, studio.operator.token, `/api/operator/v1/jobs/${jobId}/submit`, { file_ids: [deliverable.id] });
  expect(ids(await list(key))).toEqual([source.id, waiting.id]);
  await makeMoves(studio, jobId, 'pass');
  const { status, body } = await list(key);
  expect([status, body.next_cursor]).toEqual([200, null]);
  expect(body.files).toMatchObject([{ id: deliverable.id, uploaded_by: 'studio', round: 0 }, source, waiting]);
  expect(ids(await list(key, `?job_id=${jobId}`))).toEqual([deliverable.id, source.id]);
  expect(ids(await list(key, '?attached=true'))).toEqual([deliverable.id, source.id]);
  expect(ids(await list(key, '?attached=false'))).toEqual([waiting.id]);
  expect(JSON.stringify(body)).not.toMatch(/object_key|etag|signature/);
});

test('200 page by page, each file once; a cursor is bound to the account and the job', async () => {
  const { key } = await newCustomer(service, 'studio');
  const all = [];
  for (let n = 0; n < 5; n++) all.unshift((await presign(service, key, bytes)).body.file.id);
  const found = [];
  for (let cursor = ''; ;) {
    const answer = await list(key, `?limit=2${cursor}`);
    found.push(...ids(answer));
    if (answer.body.next_cursor === null) break;
    cursor = `&cursor=${answer.body.next_cursor}`;
    const elsewhere = await list(studio.key, `?limit=2${cursor}`);
    expect([elsewhere.status, elsewhere.body.error.code]).toEqual([400, 'invalid_request']);
  }
  expect(found).toEqual(all);
});

test.each(['limit=0', 'limit=101', 'cursor=x', 'status=uploaded', `job_id=${unknownJob}&job_id=${unknownJob}`])(
  '400 invalid_request: %s',
  async (query) => {
    const { status, body } = await list(studio.key, `?${query}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  },
);

test('404 job_not_found: an unknown job, and that of another account', async () => {
  const { key } = await newCustomer(service, 'studio');
  for (const id of [unknownJob, 'nonsense', await newJob(service, key)]) {
    const { status, body } = await list(studio.key, `?job_id=${id}`);
    expect([status, body.error.code]).toEqual([404, 'job_not_found']);
  }
});
