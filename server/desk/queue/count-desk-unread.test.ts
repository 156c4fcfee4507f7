import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio, newJob, type Studio } from '../../../test/support/jobs.ts';
import { say, sayAtDesk } from '../../../test/support/talk.ts';

let studio: Studio;
// The desk counts the messages of all accounts.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const as = () => studio.operator.token;
const put = (id: string, what: string, body: object) =>
  studio.service.call('PUT', `/api/operator/v1/jobs/${id}/${what}`, { as: as(), body });
const thread = async (id: string) =>
  (await studio.service.call('GET', `/api/operator/v1/jobs/${id}/messages`, { as: as() })).body;
const unread = async () => (await studio.service.call('GET', '/api/operator/v1/messages/unread', { as: as() })).body;

test('200: messages of the other side that the person has not read, and none that was withdrawn', async () => {
  const [quiet, id] = [await newJob(studio.service, studio.key), await newJob(studio.service, studio.key)];
  let last = '';
  for (const text of ['one', 'two', 'three']) last = (await say(studio, id, text)).body.message.id;
  const text = 'mine';
  await sayAtDesk(studio, id, text);
  expect(await unread()).toEqual({ total: 3, jobs: [{ job_id: id, unread: 3 }] });
  await put(id, 'messages/read', { message_id: last });
  expect(await unread()).toEqual({ total: 0, jobs: [] });
  expect((await thread(quiet)).messages).toEqual([]);
});
