import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newJob, type Studio } from '../../../test/support/jobs.ts';
import { say } from '../../../test/support/talk.ts';
import { claim, makeWorker, moveToFamily } from '../../../test/support/workers.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const list = (id: string, as = studio.operator.token, query = '') =>
  studio.service.call('GET', `/api/operator/v1/jobs/${id}/messages${query}`, { as });

test('200: operators read names, and a worker reads the thread of a job that it holds', async () => {
  const robot = await makeWorker(studio);
  const id = await newJob(studio.service, studio.key);
  await say(studio, id, 'Hello.', {}, studio.ada.token);
  expect((await list(id)).body.messages).toMatchObject([{ author: { kind: 'customer', name: 'Ada Lovelace' } }]);
  expect((await list(id, robot)).body.error.code).toBe('job_not_found');
  await claim(studio, robot, { service_families: [await moveToFamily(studio.service, id)] });
  expect((await list(id, robot)).body.messages).toMatchObject([{ author: { kind: 'customer', name: '' } }]);
});

test('400 invalid_request: no cursor of this list', async () => {
  const id = await newJob(studio.service, studio.key);
  const { status, body } = await list(id, studio.operator.token, '?cursor=x');
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
