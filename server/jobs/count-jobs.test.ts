import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, makeMoves, newCustomer, newJob, type Studio } from '../../test/support/jobs.ts';
import { ask, say } from '../../test/support/talk.ts';

let studio: Studio;
let first: string;
beforeAll(async () => {
  studio = await sharedStudio();
  first = await newJob(studio.service, studio.key, { customer_title: 'Sign 100% oak_wood' });
  await newJob(studio.service, studio.key, { service_family: 'writing', service_type: 'blog_article' });
  const accepted = await newJob(studio.service, studio.key, { customer_title: 'Sign of tin' });
  await makeMoves(studio, accepted, 'accept');
});

const none = {
  queued: 0,
  accepted: 0,
  running: 0,
  needs_review: 0,
  ready_for_customer_review: 0,
  completed: 0,
  rejected: 0,
  canceled: 0,
};
const count = async (query = '', as = studio.key) =>
  (await studio.service.call('GET', `/api/v1/jobs/counts${query}`, { as })).body.counts;

test('200 counts each status, including those without jobs', async () => {
  expect(await count()).toEqual({ ...none, queued: 2, accepted: 1 });
});

test('200 counts with the filters of the list', async () => {
  expect(await count('?service_family=writing')).toEqual({ ...none, queued: 1 });
  expect(await count('?q=SIGN')).toEqual({ ...none, queued: 1, accepted: 1 });
  expect(await count(`?q=${first}`)).toEqual({ ...none, queued: 1 });
  expect(await count('?source=dashboard')).toEqual(none);
  expect(await count('?created_before=2020-01-01T00:00:00.000Z')).toEqual(none);
});

test('200 counts the jobs that wait for an answer', async () => {
  expect(await count('?waiting_on=customer')).toEqual(none);
  const waiting = await newJob(studio.service, studio.key);
  await ask(studio, waiting);
  expect(await count('?waiting_on=customer')).toEqual({ ...none, queued: 1 });
  await say(studio, waiting, 'The dark one.');
  expect(await count('?waiting_on=customer')).toEqual(none);
  expect((await studio.service.call('GET', '/api/v1/jobs?waiting_on=studio', { as: studio.key })).status).toBe(400);
});

test('200 treats pattern characters in the text literally', async () => {
  expect(await count(`?q=${encodeURIComponent('100%')}`)).toEqual({ ...none, queued: 1 });
  expect(await count('?q=oak_wood')).toEqual({ ...none, queued: 1 });
  expect(await count(`?q=${encodeURIComponent('%')}`)).toEqual({ ...none, queued: 1 });
  expect(await count('?q=oakXwood')).toEqual(none);
});

test('200 with zeros for an account without jobs', async () => {
  const { key } = await newCustomer(studio.service);
  expect(await count('', key)).toEqual(none);
});

test.each([
  'source=nothing',
  'q=',
  'status=queued',
  'created_after=2021-01-01T00:00:00Z&created_before=2020-01-01T00:00:00Z',
])('400 invalid_request: %s', async (query) => {
  const { status, body } = await studio.service.call('GET', `/api/v1/jobs/counts?${query}`, { as: studio.key });
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
