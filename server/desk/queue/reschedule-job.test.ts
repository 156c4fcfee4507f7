import { beforeAll, describe, expect, test } from 'vitest';
import { rescheduleDays } from '../../../contract/desk/due-bounds.ts';
import { canReschedule, jobStatuses } from '../../../contract/moves.ts';
import { dueIn } from '../../../test/support/every-endpoint.ts';
import {
  bodies,
  sharedStudio,
  newJobIn,
  post,
  readJob,
  setPlan,
  type Studio,
  uuidOf,
} from '../../../test/support/jobs.ts';
import { ask as askCustomer } from '../../../test/support/talk.ts';
import { makeWorker } from '../../../test/support/workers.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
});

const reason = 'The printer needs a day more.';
const reschedule = (id: string, body: object, key?: string) =>
  post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${id}/reschedule`, body, key);
const read = (id: string) => readJob(studio.service, studio.key, id);

describe('200 moves the due date; the customer reads the old date, the new one and the reason', () => {
  test.each(jobStatuses.filter(canReschedule))('%s', async (from) => {
    const id = await newJobIn(studio, from);
    const { job: before } = await read(id);
    const due_at = dueIn(3);
    const { status, body } = await reschedule(id, { due_at, reason: ` ${reason} ` });
    expect([status, body.job.status, body.job.due_at]).toEqual([200, from, due_at]);
    const { job, events } = await read(id);
    expect(job).toMatchObject({ status: from, due_at, due_round: 0, waiting_on: null });
    const event = events.at(-1);
    expect(event).toMatchObject({ type: 'job.due_date_changed', actor: 'operator' });
    expect(event.data).toEqual({ due_at, previous_due_at: before.due_at });
    expect(job.due_date_changes).toEqual([{ event_id: event.id, reason, created_at: event.created_at }]);
    expect(body.job.due_date_changes).toEqual(job.due_date_changes);
  });
});

test('200 changes what is left on a clock that stands still, and the answer starts it with that', async () => {
  const id = await newJobIn(studio, 'running');
  await askCustomer(studio, id);
  const { job: before } = await read(id);
  const { status, body } = await reschedule(id, { remaining_seconds: 7_200, reason });
  expect([status, body.job.due_at, body.job.remaining_seconds]).toEqual([200, null, 7_200]);
  const { job: waiting, events } = await read(id);
  expect(waiting).toMatchObject({ waiting_since: before.waiting_since, waiting_on: 'customer' });
  expect(events.at(-1).data).toEqual({
    due_at: null,
    previous_due_at: null,
    remaining_seconds: 7_200,
    previous_remaining_seconds: before.remaining_seconds,
  });
  const { body: answer } = await post(studio.service, studio.key, `/api/v1/jobs/${id}/messages`, { text: 'Green.' });
  const { job } = await read(id);
  expect(Date.parse(job.due_at) - Date.parse(answer.message.created_at)).toBe(7_200_000);
});

test('200 of a job that was asked to change sets a due date for the round, and it can be overdue', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  await studio.service.context.db
    .updateTable('jobs')
    .set({ revision_hours: null })
    .where('id', '=', uuidOf('job', id))
    .execute();
  await post(studio.service, studio.key, `/api/v1/jobs/${id}/revision`, bodies.revision);
  expect((await read(id)).job).toMatchObject({ due_round: 0, revisions: { used: 1 } });
  const { body } = await reschedule(id, { due_at: dueIn(1), reason });
  expect(body.job).toMatchObject({ due_round: 1, overdue: false });
  await studio.service.context.db
    .updateTable('jobs')
    .set({ due_at: new Date(Date.now() - 60_000) })
    .where('due_round', '=', 1)
    .execute();
  const desk = { as: studio.operator.token };
  const { body: late } = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, desk);
  expect(late.job.overdue).toBe(true);
  const { body: queue } = await studio.service.call('GET', `/api/operator/v1/jobs?overdue=true&id=${id}`, desk);
  expect(queue.jobs.map((job: { id: string }) => job.id)).toContain(id);
});

test('200 several times: the reasons stand in their order', async () => {
  const id = await newJobIn(studio, 'queued');
  for (const [n, words] of ['One.', 'Two.'].entries()) await reschedule(id, { due_at: dueIn(n + 2), reason: words });
  const { job, events } = await read(id);
  const moved = events.filter(({ type }: { type: string }) => type === 'job.due_date_changed');
  expect(job.due_date_changes.map((change: { reason: string }) => change.reason)).toEqual(['One.', 'Two.']);
  expect(job.due_date_changes.map((change: { event_id: string }) => change.event_id)).toEqual(
    moved.map((event: { id: string }) => event.id),
  );
});

test('200 again with the same Idempotency-Key moves nothing; 422 idempotency_key_conflict with another body', async () => {
  const id = await newJobIn(studio, 'queued');
  const body = { due_at: dueIn(3), reason };
  const first = await reschedule(id, body, 'once');
  const again = await reschedule(id, body, 'once');
  expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([200, 'true', first.body]);
  expect((await read(id)).job.due_date_changes).toHaveLength(1);
  const other = await reschedule(id, { ...body, due_at: dueIn(4) }, 'once');
  expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_conflict']);
});

describe('409 invalid_transition', () => {
  test.each(jobStatuses.filter((status) => !canReschedule(status)))('%s job', async (from) => {
    const { status, body } = await reschedule(await newJobIn(studio, from), { due_at: dueIn(3), reason });
    expect([status, body.error.code]).toEqual([409, 'invalid_transition']);
    expect(body.error.message).toContain(from);
  });

  test('a date while the clock stands still, and a remaining time while it runs', async () => {
    const id = await newJobIn(studio, 'running');
    const running = await reschedule(id, { remaining_seconds: 60, reason });
    expect([running.status, running.body.error.code]).toEqual([409, 'invalid_transition']);
    await askCustomer(studio, id);
    const standing = await reschedule(id, { due_at: dueIn(3), reason });
    expect([standing.status, standing.body.error.code]).toEqual([409, 'invalid_transition']);
  });
});

test('422 invalid_request: both or neither, a time that is over or too far ahead, no reason or a long one', async () => {
  const id = await newJobIn(studio, 'running');
  const bad = [
    { reason },
    { due_at: dueIn(3), remaining_seconds: 60, reason },
    { due_at: dueIn(-1), reason },
    { due_at: dueIn(rescheduleDays + 1), reason },
    { due_at: '2999-12-31T23:59:60Z', reason },
    { due_at: 'tomorrow', reason },
    { remaining_seconds: 0, reason },
    { remaining_seconds: rescheduleDays * 86_400 + 1, reason },
    { due_at: dueIn(3) },
    { due_at: dueIn(3), reason: ' ' },
    { due_at: dueIn(3), reason: 'x'.repeat(501) },
    { due_at: dueIn(3), reason, lease_token: 'x' },
  ];
  for (const body of bad) {
    const answer = await reschedule(id, body);
    expect([answer.status, answer.body.error?.code], JSON.stringify(body)).toEqual([422, 'invalid_request']);
  }
  expect((await read(id)).job.due_date_changes).toEqual([]);
});

test('422 unsafe_request: a reason with a credential', async () => {
  const id = await newJobIn(studio, 'running');
  const { status, body } = await reschedule(id, { due_at: dueIn(3), reason: `Ask with ${studio.key}.` });
  expect([status, body.error.code]).toEqual([422, 'unsafe_request']);
  expect(body.error.details[0].location).toBe('/reason');
});

test('403 for a worker', async () => {
  const id = await newJobIn(studio, 'running');
  const path = `/api/operator/v1/jobs/${id}/reschedule`;
  const answer = await post(studio.service, await makeWorker(studio), path, { due_at: dueIn(3), reason });
  expect(answer.status).toBe(403);
});
