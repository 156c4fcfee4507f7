import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { followEvents } from '../../test/support/event-stream.ts';
import { sharedStudio, newJob, post, readJob, type Studio, uuidOf } from '../../test/support/jobs.ts';
import { ask, say, sayAtDesk, threadOf } from '../../test/support/talk.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const unknownMessage = 'msg_01jd3vsh8xe7rtx1zqbdnzc4v0';
const withdraw = (id: string, message: string, as = studio.key) =>
  post(studio.service, as, `/api/v1/jobs/${id}/messages/${message}/withdraw`);

test('200: the text is gone for both sides, and the entry stays', async () => {
  const id = await newJob(studio.service, studio.key);
  const { body: sent } = await say(studio, id, 'A mistake.');
  const { status, body } = await withdraw(id, sent.message.id);
  expect(status).toBe(200);
  expect(body.message).toMatchObject({ text: null, withdrawn_at: expect.any(String), withdrawable_until: null });
  expect((await threadOf(studio, id)).messages).toMatchObject([{ id: sent.message.id, text: null }]);
});

test('200: open pages of the account and of the desk learn of it', async () => {
  const id = await newJob(studio.service, studio.key);
  const { body: sent } = await say(studio, id, 'A mistake.');
  const account = await followEvents(studio.service, studio.key);
  await account.next();
  const desk = await followEvents(studio.service, studio.operator.token, { path: '/api/operator/v1/queue/stream' });
  await desk.next();
  expect((await withdraw(id, sent.message.id)).status).toBe(200);
  expect(await account.next()).toMatchObject({ event: 'messages', id: null, data: { changes: expect.any(Number) } });
  expect((await desk.next())?.data.changed).toContain(id);
  await Promise.all([account.close(), desk.close()]);
});

test('200: an answer that is withdrawn leaves its question answered', async () => {
  const id = await newJob(studio.service, studio.key);
  await ask(studio, id);
  const { body: sent } = await say(studio, id, 'The dark one.');
  expect((await withdraw(id, sent.message.id)).status).toBe(200);
  expect((await readJob(studio.service, studio.key, id)).job.waiting_on).toBeNull();
});

test('404 message_not_found: unknown, or of another job', async () => {
  const [id, other] = [await newJob(studio.service, studio.key), await newJob(studio.service, studio.key)];
  const { body: sent } = await say(studio, other, 'Elsewhere.');
  for (const message of [unknownMessage, sent.message.id])
    expect((await withdraw(id, message)).body.error.code).toBe('message_not_found');
});

test('409 invalid_transition: of somebody else, twice, or after 15 minutes', async () => {
  const id = await newJob(studio.service, studio.key);
  const { body: sent } = await say(studio, id, 'Mine.');
  const { body: ofStudio } = await sayAtDesk(studio, id, 'Theirs.');
  for (const [message, as] of [
    [sent.message.id, studio.ada.token],
    [ofStudio.message.id, studio.key],
  ])
    expect(await withdraw(id, message, as)).toMatchObject({
      status: 409,
      body: { error: { code: 'invalid_transition' } },
    });
  await sql`
    update job_messages set created_at = created_at - interval '15 minutes'
    where job_id = ${uuidOf('job', id)}`.execute(studio.service.context.db);
  expect((await withdraw(id, sent.message.id)).status).toBe(409);
  const { body: second } = await say(studio, id, 'Twice.');
  expect((await withdraw(id, second.message.id)).status).toBe(200);
  expect((await withdraw(id, second.message.id)).status).toBe(409);
});

test('422 invalid_request: a body', async () => {
  const id = await newJob(studio.service, studio.key);
  const { body: sent } = await say(studio, id, 'A mistake.');
  const path = `/api/v1/jobs/${id}/messages/${sent.message.id}/withdraw`;
  expect(await post(studio.service, studio.key, path, { why: 'x' })).toMatchObject({
    status: 422,
    body: { error: { code: 'invalid_request' } },
  });
});
