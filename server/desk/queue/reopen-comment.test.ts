import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, makeMoves, setPlan, type Studio } from '../../../test/support/jobs.ts';
import { check, deliver, newRevision } from '../../../test/support/review.ts';
import { claim, makeWorker, moveToFamily } from '../../../test/support/workers.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
});

test('200: it is open again, without its note', async () => {
  const { id, comments } = await newRevision(studio, 'One.');
  await check(studio, id, comments[0]!, 'done', { note: 'Rounder.' });
  const { status, body } = await check(studio, id, comments[0]!, 'reopen');
  expect(status).toBe(200);
  expect(body.comment).toMatchObject({ done_at: null, done_note: null });
  expect((await check(studio, id, comments[0]!, 'reopen')).status).toBe(200);
});

test('409 invalid_transition: after the next delivery', async () => {
  const { id, comments } = await newRevision(studio, 'One.');
  await check(studio, id, comments[0]!);
  await makeMoves(studio, id, 'start');
  await deliver(studio, id);
  const { status, body } = await check(studio, id, comments[0]!, 'reopen');
  expect([status, body.error.code]).toEqual([409, 'invalid_transition']);
});

test('409 lease_lost: a worker with another token', async () => {
  const { id, comments } = await newRevision(studio, 'One.');
  await makeMoves(studio, id, 'release');
  const worker = await makeWorker(studio);
  await claim(studio, worker, { service_families: [await moveToFamily(studio.service, id)] });
  const { status, body } = await check(studio, id, comments[0]!, 'reopen', { lease_token: randomUUID() }, worker);
  expect([status, body.error.code]).toEqual([409, 'lease_lost']);
});

test('404 comment_not_found: an id that names nothing', async () => {
  const { id } = await newRevision(studio, 'One.');
  expect((await check(studio, id, 'cmt_01jd3vsh8xe7rtx1zqbdnzc4v0', 'reopen')).body.error.code).toBe(
    'comment_not_found',
  );
});

test('422 invalid_request: a worker without its token', async () => {
  const { id, comments } = await newRevision(studio, 'One.');
  const { status, body } = await check(studio, id, comments[0]!, 'reopen', {}, await makeWorker(studio));
  expect([status, body.error.details[0].location]).toEqual([422, '/lease_token']);
});
