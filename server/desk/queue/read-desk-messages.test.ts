import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newJob, type Studio } from '../../../test/support/jobs.ts';
import { say } from '../../../test/support/talk.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const unknownMessage = 'msg_01jd3vsh8xe7rtx1zqbdnzc4v0';
const as = () => studio.operator.token;
const put = (id: string, what: string, body: object) =>
  studio.service.call('PUT', `/api/operator/v1/jobs/${id}/${what}`, { as: as(), body });
const thread = async (id: string) =>
  (await studio.service.call('GET', `/api/operator/v1/jobs/${id}/messages`, { as: as() })).body;

test('200: the newest mark stays, whatever comes after it', async () => {
  const id = await newJob(studio.service, studio.key);
  const sent = [];
  for (const text of ['one', 'two']) sent.push((await say(studio, id, text)).body.message.id);
  const [first, second] = sent;
  expect(await put(id, 'messages/read', { message_id: second })).toMatchObject({
    status: 200,
    body: { read_message_id: second },
  });
  expect((await put(id, 'messages/read', { message_id: first })).body).toEqual({ read_message_id: second });
  expect((await thread(id)).read_message_id).toBe(second);
});

test('404 message_not_found: unknown', async () => {
  const id = await newJob(studio.service, studio.key);
  const { body } = await put(id, 'messages/read', { message_id: unknownMessage });
  expect(body.error.code).toBe('message_not_found');
});

test('422 invalid_request: no message', async () => {
  const id = await newJob(studio.service, studio.key);
  expect(await put(id, 'messages/read', {})).toMatchObject({
    status: 422,
    body: { error: { code: 'invalid_request' } },
  });
});
