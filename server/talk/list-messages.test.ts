import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newJob, type Studio } from '../../test/support/jobs.ts';
import { addMember } from '../../test/support/people.ts';
import { say } from '../../test/support/talk.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const list = (id: string, query = '', as = studio.key) =>
  studio.service.call('GET', `/api/v1/jobs/${id}/messages${query}`, { as });

test('200: newest first, a page at a time', async () => {
  const id = await newJob(studio.service, studio.key);
  for (const text of ['one', 'two', 'three']) await say(studio, id, text);
  const first = await list(id, '?limit=2');
  expect(first.body.messages.map(({ text }: { text: string }) => text)).toEqual(['three', 'two']);
  const second = await list(id, `?limit=2&cursor=${first.body.next_cursor}`);
  expect(second.body).toMatchObject({ messages: [{ text: 'one' }], next_cursor: null });
});

test('200: says which messages the caller wrote', async () => {
  const id = await newJob(studio.service, studio.key);
  await say(studio, id, 'by a key');
  const ofMessages = async (as: string | undefined) =>
    (await list(id, '', as)).body.messages.map(({ text, mine }: { text: string; mine: boolean }) => [text, mine]);
  expect(await ofMessages(studio.key)).toEqual([['by a key', true]]);
  expect(await ofMessages(studio.ada.token)).toEqual([['by a key', false]]);
});

test('200: who follows the job, by name', async () => {
  const { service, ada } = studio;
  const id = await newJob(service, ada.token);
  const noor = await addMember(service, ada, 'member');
  const followers = async () => (await list(id)).body.followers.map(({ name }: { name: string }) => name);
  expect(await followers()).toEqual(['Ada Lovelace']);
  await say(studio, id, 'Greener.', {}, noor.token);
  expect(await followers()).toEqual(['Ada Lovelace', 'The member']);
  await service.call('PUT', `/api/v1/jobs/${id}/following`, { as: ada.token, body: { following: false } });
  expect(await followers()).toEqual(['The member']);
});

test('400 invalid_request: a cursor of another job', async () => {
  const [id, other] = [await newJob(studio.service, studio.key), await newJob(studio.service, studio.key)];
  for (const text of ['one', 'two']) await say(studio, id, text);
  const { body } = await list(id, '?limit=1');
  const { status, body: refused } = await list(other, `?cursor=${body.next_cursor}`);
  expect([status, refused.error.code]).toEqual([400, 'invalid_request']);
});
