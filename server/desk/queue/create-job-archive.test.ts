import { beforeAll, expect, test } from 'vitest';
import { createJobArchive, namesIn } from '../../../test/support/archives.ts';
import { newDeliverable, newFile, reachable, someBytes } from '../../../test/support/files.ts';
import { makeMoves, newJobIn, post, sharedStudio, type Studio } from '../../../test/support/jobs.ts';
import { deliverFiles } from '../../../test/support/review-links.ts';
import { leasedJob, makeWorker } from '../../../test/support/workers.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200: a whole job, in folders, with what is not delivered, and once in the audit', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  await newFile(studio.service, studio.key, someBytes(), { job_id: job, file_name: 'brief.png' });
  await makeMoves(studio, job, 'revision', 'start');
  await newDeliverable(studio.service, studio.operator.token, job, someBytes(), { file_name: 'draft.png' });
  const desk = ['Delivery 1/one.png', 'Files of the customer/brief.png', 'Not delivered/draft.png'];
  for (let times = 0; times < 2; times++)
    expect(await namesIn(studio, await createJobArchive(studio, studio.operator.token, job))).toEqual(desk);
  const path = `/api/operator/v1/audit?subject=${job}&action=file.downloaded_at_desk`;
  const { body } = await studio.service.call('GET', path, { as: studio.operator.token });
  expect(body.audit_entries).toMatchObject([{ actor: 'operator', details: { job_id: job, files: 3 } }]);
});

test('200 for the worker that holds the job, until it does not any more', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker);
  await newFile(studio.service, studio.key, someBytes(), { job_id: id, file_name: 'brief.png' });
  const answer = await createJobArchive(studio, worker, id, { lease_token: token });
  expect(await namesIn(studio, answer)).toEqual(['Files of the customer/brief.png']);
  await post(studio.service, worker, `/api/operator/v1/jobs/${id}/release`, { lease_token: token });
  expect((await fetch(reachable(studio.service, answer.body.download.url))).status).toBe(404);
});

test('409 lease_lost for another worker, and 422 without a lease', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker);
  const other = await createJobArchive(studio, await makeWorker(studio), id, { lease_token: token });
  expect([other.status, other.body.error.code]).toEqual([409, 'lease_lost']);
  expect((await createJobArchive(studio, worker, id)).status).toBe(422);
});

test('404 file_not_found: a job without files', async () => {
  const job = await newJobIn(studio, 'running');
  const { status, body } = await createJobArchive(studio, studio.operator.token, job);
  expect([status, body.error.code]).toEqual([404, 'file_not_found']);
});
