import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { unknownFile } from '../../test/support/files.ts';
import {
  sharedStudio,
  makeMoves,
  newCustomer,
  newJob,
  newJobIn,
  post,
  readJob,
  setPlan,
  type Studio,
  uuidOf,
} from '../../test/support/jobs.ts';
import { ask, newDeskReference, newReference, say, sayAtDesk, threadOf } from '../../test/support/talk.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000, quota: 1000 });
});

const job = async (id: string) => (await readJob(studio.service, studio.key, id)).job;
const typesOf = async (id: string) =>
  (await readJob(studio.service, studio.key, id)).events.map(({ type }: { type: string }) => type.slice(4));

test('201: a person’s message, which both sides read under the writer’s name', async () => {
  const id = await newJob(studio.service, studio.key);
  const { status, body } = await say(studio, id, ' Warm colours,\nplease. ', {}, studio.ada.token);
  expect(status).toBe(201);
  expect(body.message).toEqual({
    id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
    job_id: id,
    author: { kind: 'customer', name: 'Ada Lovelace' },
    mine: true,
    text: ' Warm colours,\nplease. ',
    file_ids: [],
    question: false,
    answered_at: null,
    closed_at: null,
    created_at: expect.any(String),
    withdrawn_at: null,
    withdrawable_until: expect.any(String),
  });
  const others = { ...body.message, mine: false, withdrawable_until: null };
  expect((await threadOf(studio, id)).messages).toEqual([others]);
  const atDesk = await studio.service.call('GET', `/api/operator/v1/jobs/${id}/messages`, {
    as: studio.operator.token,
  });
  expect(atDesk.body.messages).toEqual([others]);
  expect(await typesOf(id)).toEqual(['created', 'message_added']);
});

test('201: next_action waits for what the studio says or does after it, and a repeat says the same', async () => {
  const { service, key } = studio;
  const waitAfter = async (id: string, idempotencyKey: string) => {
    const { body } = await say(studio, id, 'The dark one.', {}, key, idempotencyKey);
    expect((await say(studio, id, 'The dark one.', {}, key, idempotencyKey)).body.next_action).toBe(body.next_action);
    const path = /^Wait with GET (\S+&after=\d+)&wait=25 /.exec(body.next_action)?.[1] ?? '';
    return async () =>
      (await service.call('GET', path, { as: key })).body.events.map(({ type }: { type: string }) => type);
  };
  const id = await newJobIn(studio, 'running');
  await ask(studio, id, 'Which of the greens?');
  const typesAfter = await waitAfter(id, 'answer');
  expect(await typesAfter()).toEqual([]);
  await sayAtDesk(studio, id, 'Thank you.');
  await makeMoves(studio, id, 'submit', 'pass');
  expect(await typesAfter()).toEqual(['job.message_added', 'job.ready_for_customer_review']);
  const repliesAfter = await waitAfter(id, 'thanks');
  await makeMoves(studio, id, 'approve');
  expect(await repliesAfter()).toEqual([]);
  await sayAtDesk(studio, id, 'You are welcome.');
  expect(await repliesAfter()).toEqual(['job.message_added']);
});

test('201: a key that version 0.2.0 remembered, without a next action', async () => {
  const { service, key } = studio;
  const id = await newJobIn(studio, 'running');
  await say(studio, id, 'Hello.', {}, key, 'of-0.2.0');
  await sql`update idempotency_keys set answer = (answer::jsonb - 'next_action')::json where key = 'of-0.2.0'`.execute(
    service.context.db,
  );
  const { status, body } = await say(studio, id, 'Hello.', {}, key, 'of-0.2.0');
  const { latest } = (await studio.service.call('GET', '/api/v1/events?limit=1', { as: key })).body;
  const wait = new RegExp(`^Wait with GET /api/v1/events\\?job_id=${id}&types=\\S+&after=${latest}&wait=25 `);
  expect([status, body.next_action]).toEqual([201, expect.stringMatching(wait)]);
});

test('201: the studio’s people write under the name of the studio', async () => {
  const id = await newJob(studio.service, studio.key);
  await sayAtDesk(studio, id, 'We have begun.');
  expect((await threadOf(studio, id)).messages).toMatchObject([{ author: { kind: 'studio', name: 'The studio' } }]);
});

test('201: with files, which become part of the job', async () => {
  const id = await newJob(studio.service, studio.key);
  const files = [await newReference(studio), await newReference(studio, { job_id: id })];
  const { status, body } = await say(studio, id, 'Like these.', { file_ids: files });
  expect([status, body.message.file_ids]).toEqual([201, files]);
  expect((await job(id)).files.map((file: { id: string }) => file.id).toSorted()).toEqual(files.toSorted());
});

test('201: a file of the studio is the customer’s to read once its message is sent, and no deliverable', async () => {
  const id = await newJobIn(studio, 'running');
  const file = await newDeskReference(studio, id);
  const read = () => studio.service.call('GET', `/api/v1/files/${file}`, { as: studio.key });
  expect((await read()).status).toBe(404);
  await sayAtDesk(studio, id, 'A sketch.', { file_ids: [file] });
  expect((await read()).body.file).toMatchObject({ id: file, purpose: 'job_reference', uploaded_by: 'studio' });
  expect((await job(id)).files).toMatchObject([{ id: file, released_at: null }]);
  const submitted = await studio.service.call('POST', `/api/operator/v1/jobs/${id}/submit`, {
    as: studio.operator.token,
    body: { file_ids: [file] },
  });
  expect([submitted.status, submitted.body.error.code]).toEqual([422, 'invalid_request']);
});

test('201: again with the same Idempotency-Key: one message', async () => {
  const id = await newJob(studio.service, studio.key);
  const first = await say(studio, id, 'Once.', {}, studio.key, 'once');
  const second = await say(studio, id, 'Once.', {}, studio.key, 'once');
  expect(second.body).toEqual(first.body);
  expect((await threadOf(studio, id)).messages).toHaveLength(1);
});

test('201: again with the same Idempotency-Key after a withdrawal: no copy of the text is left', async () => {
  const id = await newJob(studio.service, studio.key);
  const first = await say(studio, id, 'A slip of the tongue.', {}, studio.key, 'slip');
  await post(studio.service, studio.key, `/api/v1/jobs/${id}/messages/${first.body.message.id}/withdraw`);
  const second = await say(studio, id, 'A slip of the tongue.', {}, studio.key, 'slip');
  expect(second).toMatchObject({ status: 201, body: { message: { id: first.body.message.id, text: null } } });
  const { rows } = await sql`
    select from idempotency_keys where answer::text like '%slip of the tongue%'`.execute(studio.service.context.db);
  expect(rows).toEqual([]);
});

test('201: until 30 days after the end of the job, with files', async () => {
  const id = await newJobIn(studio, 'completed');
  const file = await newReference(studio, { job_id: id });
  expect((await say(studio, id, 'Thank you!', { file_ids: [file] })).status).toBe(201);
});

describe('an open question', () => {
  test('201: is answered by the next message, and the job is due later by the time waited', async () => {
    const id = await newJobIn(studio, 'running');
    const { due_at: due } = await job(id);
    await ask(studio, id);
    const waiting = await job(id);
    expect(waiting).toMatchObject({ due_at: null, waiting_on: 'customer', waiting_since: expect.any(String) });
    expect(waiting.allowed_actions).toContain('answer');
    const left = Date.parse(due) - Date.parse(waiting.waiting_since);
    expect(waiting.remaining_seconds).toBe(Math.floor(left / 1000));
    await sql`update jobs set waiting_since = waiting_since - interval '90 seconds' where id = ${uuidOf('job', id)}`.execute(
      studio.service.context.db,
    );
    const { body } = await say(studio, id, 'The dark one.');
    const after = await job(id);
    expect(after).toMatchObject({ waiting_on: null, waiting_since: null, remaining_seconds: null });
    expect(after.allowed_actions).not.toContain('answer');
    expect(Date.parse(after.due_at)).toBe(Date.parse(body.message.created_at) + left);
    const [answer, question] = (await threadOf(studio, id)).messages;
    expect([answer.question, question.answered_at]).toEqual([false, body.message.created_at]);
    expect((await typesOf(id)).slice(-4)).toEqual([
      'message_added',
      'question_asked',
      'message_added',
      'question_answered',
    ]);
    const { body: log } = await studio.service.call('GET', `/api/v1/events?job_id=${id}&types=job.question_answered`, {
      as: studio.key,
    });
    const since = Date.parse(body.message.created_at) - Date.parse(waiting.waiting_since);
    const waited_seconds = 90 + Math.floor(since / 1000);
    expect(log.events[0].data).toEqual({ message_id: body.message.id, waited_seconds, due_at: after.due_at });
  });

  test.each(['submit', 'reject', 'cancel'] as const)('is closed without an answer by %s', async (move) => {
    const id = await newJobIn(studio, 'running');
    await ask(studio, id);
    const moved = await makeMoves(studio, id, move);
    expect(moved).toMatchObject({ waiting_on: null, waiting_since: null, due_at: expect.any(String) });
    expect((await threadOf(studio, id)).messages).toMatchObject([{ answered_at: null, closed_at: expect.any(String) }]);
    expect((await typesOf(id)).includes('due_date_changed')).toBe(move === 'submit');
  });

  test('stays open through moves of the studio that go on with the work', async () => {
    const id = await newJob(studio.service, studio.key);
    await ask(studio, id);
    expect(await makeMoves(studio, id, 'accept', 'start', 'release')).toMatchObject({ waiting_on: 'customer' });
  });
});

test('403 limit_reached: the 201st message of a day', async () => {
  const id = await newJob(studio.service, studio.key);
  await sql`
    insert into job_messages (account_id, job_id, author, user_id, text, created_at)
    select account_id, id, 'studio', ${studio.operator.userId}, 'More.', now() from jobs, generate_series(1, 200)
    where id = ${uuidOf('job', id)}`.execute(studio.service.context.db);
  const { status, body } = await say(studio, id, 'One more.');
  expect([status, body.error.code]).toEqual([403, 'limit_reached']);
});

test('422 invalid_request: a file that is unknown, of another account, or of the studio', async () => {
  const id = await newJob(studio.service, studio.key);
  const other = await newCustomer(studio.service, 'studio');
  const foreign = await newReference({ ...studio, key: other.key });
  const ofStudio = await newDeskReference(studio, id);
  for (const file of [unknownFile, foreign, ofStudio]) {
    const { status, body } = await say(studio, id, 'See.', { file_ids: [file] });
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  }
});

test('409 invalid_transition: a job that ended more than 30 days ago', async () => {
  const id = await newJobIn(studio, 'canceled');
  await sql`update jobs set status_changed_at = now() - interval '31 days' where id = ${uuidOf('job', id)}`.execute(
    studio.service.context.db,
  );
  const { status, body } = await say(studio, id, 'Too late.');
  expect([status, body.error.code]).toEqual([409, 'invalid_transition']);
  expect(body.error.message).toContain('canceled');
});

test.each([
  ['no text', ''],
  ['spaces only', ' \n '],
  ['5,001 code points', '🙂'.repeat(5_001)],
])('422 invalid_request: %s', async (_, text) => {
  const id = await newJob(studio.service, studio.key);
  const { status, body } = await say(studio, id, text);
  expect([status, body.error.code]).toEqual([422, 'invalid_request']);
});

test('422 invalid_request: a file with another purpose, of another job, of another message, or the eleventh', async () => {
  const [id, other] = [await newJob(studio.service, studio.key), await newJob(studio.service, studio.key)];
  const sent = await newReference(studio);
  await say(studio, id, 'First.', { file_ids: [sent] });
  const source = await newReference(studio, { purpose: 'job_source' });
  const elsewhere = await newReference(studio, { job_id: other });
  for (const files of [[source], [elsewhere], [sent], Array.from({ length: 11 }, () => unknownFile)]) {
    const { status, body } = await say(studio, id, 'See.', { file_ids: files });
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  }
});

test('422 unsafe_request: a credential in the text', async () => {
  const id = await newJob(studio.service, studio.key);
  const { status, body } = await say(studio, id, 'Our key is AKIAIOSFODNN7EXAMQLE.');
  expect([status, body.error.code]).toEqual([422, 'unsafe_request']);
});

test('422 idempotency_key_conflict: the same key with another text', async () => {
  const id = await newJob(studio.service, studio.key);
  await say(studio, id, 'One.', {}, studio.key, 'same');
  const { status, body } = await say(studio, id, 'Two.', {}, studio.key, 'same');
  expect([status, body.error.code]).toEqual([422, 'idempotency_key_conflict']);
});
