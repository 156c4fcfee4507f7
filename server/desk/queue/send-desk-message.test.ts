import { beforeAll, describe, expect, test } from 'vitest';
import { unknownFile } from '../../../test/support/files.ts';
import {
  uuidOf,
  createStudio,
  sharedStudio,
  newJob,
  newJobIn,
  readJob,
  setPlan,
  type Studio,
} from '../../../test/support/jobs.ts';
import { newReference, say, sayAtDesk, threadOf } from '../../../test/support/talk.ts';
import { claim, makeWorker } from '../../../test/support/workers.ts';

let studio: Studio;
let worker: string;
beforeAll(async () => {
  studio = await sharedStudio();
  worker = await makeWorker(studio);
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000, quota: 1000 });
});

const job = async (id: string) => (await readJob(studio.service, studio.key, id)).job;

describe('201', () => {
  test.each(['queued', 'accepted', 'running', 'needs_review'] as const)(
    'a question stops the clock of a job that is %s',
    async (status) => {
      const id = await newJobIn(studio, status);
      const { status: code, body } = await sayAtDesk(studio, id, 'Which green?', { question: true });
      expect([code, body.message.question]).toEqual([201, true]);
      expect(await job(id)).toMatchObject({ status, due_at: null, waiting_on: 'customer' });
    },
  );

  test('a second question leaves the clock as it stands, and one answer answers both', async () => {
    const id = await newJob(studio.service, studio.key);
    await sayAtDesk(studio, id, 'Which green?', { question: true });
    const { waiting_since, remaining_seconds } = await job(id);
    await sayAtDesk(studio, id, 'And which red?', { question: true });
    expect(await job(id)).toMatchObject({ waiting_since, remaining_seconds });
    await say(studio, id, 'The dark ones.');
    const { messages } = await threadOf(studio, id);
    const [answer] = messages;
    expect(messages.slice(1).map(({ answered_at }: { answered_at: string }) => answered_at)).toEqual([
      answer.created_at,
      answer.created_at,
    ]);
  });

  test('a waiting job is no overdue one, counts as waiting, and no worker claims it', async () => {
    const only = await createStudio();
    const robot = await makeWorker(only);
    const id = await newJob(only.service, only.key);
    await sayAtDesk(only, id, 'Which green?', { question: true });
    expect((await claim(only, robot)).status).toBe(204);
    const { body } = await only.service.call('GET', '/api/operator/v1/jobs/counts', { as: only.operator.token });
    expect(body.counts).toMatchObject({ free: 0, waiting: 1, overdue: 0, next_due_at: null });
    const list = await only.service.call('GET', '/api/operator/v1/jobs?waiting_on=customer&sort=due', {
      as: only.operator.token,
    });
    expect(list.body.jobs).toMatchObject([{ id, waiting_on: 'customer' }]);
    await only.service.close();
  });

  test('a worker’s question gives its job back, and once answered the job is claimed first', async () => {
    const only = await createStudio();
    const robot = await makeWorker(only);
    const [first, second] = [await newJob(only.service, only.key), await newJob(only.service, only.key)];
    const { body: claimed } = await claim(only, robot);
    expect(claimed.job.id).toBe(first);
    const { body: other } = await claim(only, robot);
    expect(other.job.id).toBe(second);
    const question = { question: true, lease_token: other.lease.token };
    expect((await sayAtDesk(only, second, 'Which green?', question, robot)).status).toBe(201);
    expect(await readJob(only.service, only.key, second)).toMatchObject({
      job: { status: 'queued', waiting_on: 'customer' },
    });
    const { body: asked } = await only.service.call('GET', `/api/operator/v1/jobs/${second}`, {
      as: only.operator.token,
    });
    expect(asked.job.notes).toEqual([]);
    const row = only.service.context.db
      .selectFrom('jobs')
      .select('lease_expiries')
      .where('id', '=', uuidOf('job', second));
    expect(await row.executeTakeFirst()).toEqual({ lease_expiries: 0 });
    const third = await newJob(only.service, only.key);
    await say(only, second, 'The dark one.');
    expect((await claim(only, robot)).body.job.id).toBe(second);
    const thread = await only.service.call('GET', `/api/operator/v1/jobs/${second}/messages`, { as: robot });
    expect(thread.body.messages).toMatchObject([
      { author: { kind: 'customer', name: '' }, text: 'The dark one.' },
      { author: { kind: 'worker', name: 'robot' } },
    ]);
    expect((await claim(only, robot)).body.job.id).toBe(third);
    await only.service.close();
  });

  test('again with the same Idempotency-Key: one message', async () => {
    const id = await newJob(studio.service, studio.key);
    const { token } = studio.operator;
    const first = await sayAtDesk(studio, id, 'Once.', {}, token, 'desk-once');
    expect((await sayAtDesk(studio, id, 'Once.', {}, token, 'desk-once')).body).toEqual(first.body);
    expect((await threadOf(studio, id)).messages).toHaveLength(1);
  });
});

test('403 limit_reached: the 201st message of a day', async () => {
  const id = await newJob(studio.service, studio.key);
  for (let n = 0; n < 200; n++) expect((await sayAtDesk(studio, id, `Number ${n}`)).status).toBe(201);
  expect(await sayAtDesk(studio, id, 'One more.')).toMatchObject({
    status: 403,
    body: { error: { code: 'limit_reached' } },
  });
});

test('422 invalid_request: an unknown file, or one of the customer', async () => {
  const id = await newJob(studio.service, studio.key);
  for (const file of [unknownFile, await newReference(studio, { job_id: id })])
    expect(await sayAtDesk(studio, id, 'See.', { file_ids: [file] })).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_request' } },
    });
});

test.each(['ready_for_customer_review', 'completed', 'rejected', 'canceled'] as const)(
  '409 invalid_transition: a question about a job that is %s',
  async (status) => {
    const id = await newJobIn(studio, status);
    const { status: code, body } = await sayAtDesk(studio, id, 'Which green?', { question: true });
    expect([code, body.error.code]).toEqual([409, 'invalid_transition']);
    expect(body.error.message).toContain(status);
    expect((await threadOf(studio, id)).messages).toEqual([]);
  },
);

test('409 lease_lost: a worker that holds the job no more', async () => {
  const id = await newJobIn(studio, 'running');
  const lease_token = '0193b2a4-7c11-7d2e-9f0a-3c5d8e6f1a2b';
  expect(await sayAtDesk(studio, id, 'Hello?', { lease_token }, worker)).toMatchObject({
    status: 409,
    body: { error: { code: 'lease_lost' } },
  });
});

test('422 invalid_request: no text, and a worker without its lease', async () => {
  const id = await newJob(studio.service, studio.key);
  for (const [text, as] of [
    ['', studio.operator.token],
    ['Hello?', worker],
  ] as const)
    expect(await sayAtDesk(studio, id, text, {}, as)).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_request' } },
    });
});

test('422 unsafe_request: a credential in the text', async () => {
  const id = await newJob(studio.service, studio.key);
  expect(await sayAtDesk(studio, id, 'Use AKIAIOSFODNN7EXAMQLE.')).toMatchObject({
    status: 422,
    body: { error: { code: 'unsafe_request' } },
  });
});

test('422 idempotency_key_conflict: the same key with another text', async () => {
  const id = await newJob(studio.service, studio.key);
  const { token } = studio.operator;
  await sayAtDesk(studio, id, 'One.', {}, token, 'desk-same');
  expect(await sayAtDesk(studio, id, 'Two.', {}, token, 'desk-same')).toMatchObject({
    status: 422,
    body: { error: { code: 'idempotency_key_conflict' } },
  });
});
