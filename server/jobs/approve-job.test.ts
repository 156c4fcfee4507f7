import { beforeAll, expect, test } from 'vitest';
import { isEnded, jobStatuses } from '../../contract/moves.ts';
import {
  activeJobsOf,
  makeMoves,
  newJobIn,
  sharedStudio,
  post,
  readJob,
  setPlan,
  type Studio,
  tryMove,
  usedOf,
} from '../../test/support/jobs.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const approve = (id: string, idempotencyKey?: string, body?: unknown) =>
  post(studio.service, studio.key, `/api/v1/jobs/${id}/approve`, body, idempotencyKey);

test('200 with the full completed job and guidance; the job no longer counts as active', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  const active = await activeJobsOf(studio.service, studio.ada);
  const used = await usedOf(studio.service, studio.ada);
  const { status, body } = await approve(id);
  expect(status).toBe(200);
  expect(body).toEqual({
    job: (await readJob(studio.service, studio.key, id)).job,
    next_action: expect.any(String),
  });
  expect(body.job).toMatchObject({ status: 'completed', allowed_actions: [], review_due_at: null });
  expect(await activeJobsOf(studio.service, studio.ada)).toBe(active - 1);
  expect(await usedOf(studio.service, studio.ada)).toEqual(used);
});

test('200 replays the first answer with its status, one move', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  const first = await approve(id, 'approve-once');
  const second = await approve(id, 'approve-once', {});
  expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(first.headers.has('idempotent-replayed')).toBe(false);
  expect(second.body).toEqual(first.body);
  expect((await readJob(studio.service, studio.key, id)).events).toHaveLength(7);
});

test('200 without any plan: a delivery can always be approved', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  await setPlan(studio.service, studio.ada, 'studio', { status: 'canceled' });
  const { status } = await approve(id);
  await setPlan(studio.service, studio.ada, 'studio', { status: 'active' });
  expect(status).toBe(200);
});

test('409 delivery_changed: another round than the current one, in any status; 200 with that', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  const seen = async (round: number) => {
    const { status, body } = await post(studio.service, studio.key, `/api/v1/jobs/${id}/approve?round=${round}`);
    return [status, body.error?.code];
  };
  expect(await seen(1)).toEqual([409, 'delivery_changed']);
  await makeMoves(studio, id, 'revision');
  expect(await seen(0)).toEqual([409, 'delivery_changed']);
  await makeMoves(studio, id, 'start', 'submit', 'pass');
  expect(await seen(0)).toEqual([409, 'delivery_changed']);
  expect((await readJob(studio.service, studio.key, id)).job.status).toBe('ready_for_customer_review');
  expect(await seen(1)).toEqual([200, undefined]);
  expect(await seen(1)).toEqual([400, 'invalid_request']);
});

test.each(['?round=-1', '?round=1.5', '?round=', '?round=0&round=0', '?rounds=0'])(
  '400 invalid_request: %s',
  async (query) => {
    const id = await newJobIn(studio, 'ready_for_customer_review');
    const { status, body } = await post(studio.service, studio.key, `/api/v1/jobs/${id}/approve${query}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  },
);

test.each(jobStatuses.filter((status) => status !== 'ready_for_customer_review'))(
  '400 invalid_request: a job that is %s, which the message names',
  async (status) => {
    const id = await newJobIn(studio, status);
    const before = await readJob(studio.service, studio.key, id);
    const answer = await approve(id, 'too-early');
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain(status);
    expect(answer.body.error.action).toMatch(isEnded(status) ? /^The job has ended/ : /^Wait until/);
    expect(await readJob(studio.service, studio.key, id)).toEqual(before);
  },
);

test('200 with the key of an earlier refusal, which is not remembered', async () => {
  const id = await newJobIn(studio, 'needs_review');
  expect((await approve(id, 'k')).status).toBe(400);
  await makeMoves(studio, id, 'pass');
  expect((await approve(id, 'k')).status).toBe(200);
});

test('400 invalid_request: a body with a field, and a bad Idempotency-Key', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  const answers = [await approve(id, undefined, { note: 'fine' }), await approve(id, 'two words')];
  for (const { status, body } of answers) expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  expect(answers[0]?.body.error.details[0].location).toBe('/note');
});

test('200 for each of two jobs approved with one Idempotency-Key: it holds for one route', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  const other = await newJobIn(studio, 'ready_for_customer_review');
  await approve(id, 'both');
  expect((await approve(other, 'both')).body.job.id).toBe(other);
});

test('200 for one of approve, cancel and revision at the same moment, the others find its state', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  const answers = await Promise.all(
    (['approve', 'revision', 'approve'] as const).map((move) => tryMove(studio, id, move)),
  );
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  const { job } = await readJob(studio.service, studio.key, id);
  expect(job.status).toBe(won[0]?.body.job.status);
});
