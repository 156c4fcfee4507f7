import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, makeMoves, setPlan, type Studio } from '../../../test/support/jobs.ts';
import { comment, deliver, deskCommentsOf, newDelivery, newRevision } from '../../../test/support/review.ts';
import { claim, makeWorker, moveToFamily } from '../../../test/support/workers.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
});

test('200: what was sent, and nothing of the round that is in review', async () => {
  const revision = await newRevision(studio, 'One.', 'Two.');
  await makeMoves(studio, revision.id, 'start');
  const file = await deliver(studio, revision.id);
  await comment(studio, { ...revision, file }, 'Not sent.');
  const { status, body } = await deskCommentsOf(studio, revision.id);
  expect(status).toBe(200);
  expect(body.comments).toMatchObject([
    { text: 'One.', number: 1, editable: false, done_at: null },
    { text: 'Two.', number: 2 },
  ]);
  expect(JSON.stringify(body)).not.toContain('Not sent.');
  expect((await deskCommentsOf(studio, revision.id, '?round=1')).body.comments).toEqual([]);
});

test('200: comments that were never sent are not shown after an approval', async () => {
  const delivery = await newDelivery(studio);
  await comment(studio, delivery, 'Only for us.');
  await makeMoves(studio, delivery.id, 'approve');
  expect((await deskCommentsOf(studio, delivery.id)).body.comments).toEqual([]);
});

test('200 for the worker that holds the job, without names of people; 404 job_not_found for another', async () => {
  const revision = await newRevision(studio, 'One.');
  await makeMoves(studio, revision.id, 'release');
  const worker = await makeWorker(studio);
  const family = await moveToFamily(studio.service, revision.id);
  const { body } = await claim(studio, worker, { service_families: [family] });
  expect(body.job.id).toBe(revision.id);
  expect((await deskCommentsOf(studio, revision.id, '', worker)).body.comments).toMatchObject([
    { text: 'One.', author: { kind: 'customer', name: '' } },
  ]);
  const answer = await deskCommentsOf(studio, revision.id, '', await makeWorker(studio));
  expect([answer.status, answer.body.error.code]).toEqual([404, 'job_not_found']);
});

test('400 invalid_request: the cursor of a customer’s list', async () => {
  const revision = await newRevision(studio, 'One.', 'Two.');
  const path = `/api/v1/jobs/${revision.id}/comments?limit=1`;
  const { body } = await studio.service.call('GET', path, { as: studio.key });
  expect((await deskCommentsOf(studio, revision.id, `?cursor=${body.next_cursor}`)).status).toBe(400);
});
