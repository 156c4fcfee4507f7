import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newJob, type Studio } from '../../../test/support/jobs.ts';
import { sayAtDesk } from '../../../test/support/talk.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const as = () => studio.operator.token;
const put = (id: string, what: string, body: object) =>
  studio.service.call('PUT', `/api/operator/v1/jobs/${id}/${what}`, { as: as(), body });
const thread = async (id: string) =>
  (await studio.service.call('GET', `/api/operator/v1/jobs/${id}/messages`, { as: as() })).body;

test('200: a person follows and stops; who wrote follows without asking', async () => {
  const id = await newJob(studio.service, studio.key);
  expect((await thread(id)).following).toBe(false);
  const text = 'Hello.';
  await sayAtDesk(studio, id, text);
  expect((await thread(id)).following).toBe(true);
  expect(await put(id, 'following', { following: false })).toMatchObject({ status: 200, body: { following: false } });
  expect((await thread(id)).following).toBe(false);
  await put(id, 'following', { following: true });
  expect((await thread(id)).following).toBe(true);
});

test('422 invalid_request: no choice', async () => {
  const id = await newJob(studio.service, studio.key);
  expect(await put(id, 'following', {})).toMatchObject({ status: 422, body: { error: { code: 'invalid_request' } } });
});
