import { beforeAll, describe, expect, test } from 'vitest';
import { jobStatuses } from '../../contract/moves.ts';
import {
  makeMoves,
  newJobIn,
  sharedStudio,
  post,
  readJob,
  setPlan,
  type Studio,
  tryMove,
  unknownJob,
  usedOf,
} from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';
import { comment, commentsOf, deliver, newDelivery } from '../../test/support/review.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
});

const ready = () => newJobIn(studio, 'ready_for_customer_review');
const revise = (id: string, words: unknown = 'Rounder.', idempotencyKey?: string) =>
  post(studio.service, studio.key, `/api/v1/jobs/${id}/revision`, { customer_instructions: words }, idempotencyKey);
const outcome = async (asked: ReturnType<typeof revise>) => {
  const { status, body } = await asked;
  return [status, body.error?.code];
};

test('200 with the full job back at the studio, its request kept, and no usage', async () => {
  const id = await ready();
  const used = await usedOf(studio.service, studio.ada);
  const { status, body } = await revise(id, '  Rounder,\nplease 👍 ');
  expect(status).toBe(200);
  expect(body).toEqual({ job: (await readJob(studio.service, studio.key, id)).job, next_action: expect.any(String) });
  expect(body.job).toMatchObject({
    status: 'accepted',
    revisions: { used: 1, included: 3 },
    review_due_at: null,
    allowed_actions: ['cancel'],
    revision_requests: [{ round: 1, customer_instructions: '  Rounder,\nplease 👍 ' }],
  });
  expect(await usedOf(studio.service, studio.ada)).toEqual(used);
});

test('200 explains how to wait for the next delivery, not the one before', async () => {
  const { body } = await revise(await ready());
  const path = /GET (\S+)/.exec(body.next_action)?.[1] ?? '';
  const waiting = studio.service.call('GET', path, { as: studio.key });
  await makeMoves(studio, body.job.id, 'start', 'submit', 'pass');
  expect((await waiting).body.events).toMatchObject([{ type: 'job.ready_for_customer_review', data: { round: 1 } }]);
});

test('200 gives the job back to the operator who held it, and to nobody else', async () => {
  const id = await ready();
  await revise(id);
  const { body } = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token });
  expect(body.job.holder).toMatchObject({ operator_id: expect.any(String), since: body.job.status_changed_at });
  const other = await makeOperator(studio.service);
  const refused = await post(studio.service, other.token, `/api/operator/v1/jobs/${id}/start`);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_transition']);
  await makeMoves(studio, id, 'start');
});

test('200 replays the first answer, one round', async () => {
  const id = await ready();
  const first = await revise(id, 'Rounder.', 'revise-once');
  const second = await revise(id, 'Rounder.', 'revise-once');
  expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(second.body).toEqual(first.body);
  expect((await readJob(studio.service, studio.key, id)).job.revisions.used).toBe(1);
});

test('422 idempotency_key_conflict: the same key with other instructions', async () => {
  const id = await ready();
  await revise(id, 'Rounder.', 'conflict');
  expect(await outcome(revise(id, 'Squarer.', 'conflict'))).toEqual([422, 'idempotency_key_conflict']);
});

test.each(jobStatuses.filter((status) => status !== 'ready_for_customer_review'))(
  '409 revision_unavailable: %s job',
  async (status) => {
    const id = await newJobIn(studio, status);
    expect(await outcome(revise(id))).toEqual([409, 'revision_unavailable']);
    expect((await readJob(studio.service, studio.key, id)).job).toMatchObject({ status, revision_requests: [] });
  },
);

test.each([
  [1, 'image_cutout'],
  [2, 'landing_page'],
  [3, 'logo'],
])('409 revision_unavailable: after the %i rounds of %s', async (rounds, service_type) => {
  const id = await newJobIn(studio, 'running', { service_type });
  const deliver = service_type === 'image_cutout' ? (['submit'] as const) : (['submit', 'pass'] as const);
  for (let round = 0; round < rounds; round++) await makeMoves(studio, id, ...deliver, 'revision', 'start');
  const job = await makeMoves(studio, id, ...deliver);
  expect(job.revisions).toEqual({ used: rounds, included: rounds });
  expect(await outcome(revise(id))).toEqual([409, 'revision_unavailable']);
});

test('403 entitlement_required: no active plan; with one again it works', async () => {
  const id = await ready();
  await setPlan(studio.service, studio.ada, 'studio', { status: 'canceled' });
  expect(await outcome(revise(id, 'Rounder.', 'no-plan'))).toEqual([403, 'entitlement_required']);
  expect((await readJob(studio.service, studio.key, id)).job.status).toBe('ready_for_customer_review');
  await setPlan(studio.service, studio.ada, 'studio', { status: 'active' });
  expect(await outcome(revise(id, 'Rounder.', 'no-plan'))).toEqual([200, undefined]);
});

test('200 with used-up quota, and with a plan for another kind of caller: only creating asks for those', async () => {
  const id = await ready();
  await setPlan(studio.service, studio.ada, 'studio', { quota: 0 });
  const { db } = studio.service.context;
  await db.updateTable('entitlements').set({ access_kind: 'human' }).execute();
  expect(await outcome(revise(id))).toEqual([200, undefined]);
  await db.updateTable('entitlements').set({ access_kind: 'both' }).execute();
  await setPlan(studio.service, studio.ada, 'studio', { quota: 500 });
});

test('422 unsafe_request: a credential in the instructions; asked after the state and before the plan', async () => {
  expect(await outcome(revise(await newJobIn(studio, 'completed'), studio.key))).toEqual([409, 'revision_unavailable']);
  const id = await ready();
  await setPlan(studio.service, studio.ada, 'studio', { status: 'canceled' });
  expect(await outcome(revise(id, studio.key))).toEqual([422, 'unsafe_request']);
  await setPlan(studio.service, studio.ada, 'studio', { status: 'active' });
  expect(await outcome(revise(id, `my key is ${studio.key}`))).toEqual([422, 'unsafe_request']);
  expect((await readJob(studio.service, studio.key, id)).job.revisions.used).toBe(0);
});

test.each(['', ' \n', 'x'.repeat(20_001), 'nul\u0000', 7, null])(
  '422 invalid_request: instructions %j',
  async (words) => expect(await outcome(revise(unknownJob, words))).toEqual([422, 'invalid_request']),
);

test('200 for one of many at the same moment', async () => {
  const id = await ready();
  const answers = await Promise.all([1, 2, 3].map(() => tryMove(studio, id, 'revision')));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect((await readJob(studio.service, studio.key, id)).job.revisions.used).toBe(1);
});

describe('with comments', () => {
  const ask = (id: string, body: object, idempotencyKey?: string) =>
    post(studio.service, studio.key, `/api/v1/jobs/${id}/revision`, body, idempotencyKey);
  const atDesk = async (id: string) =>
    (await studio.service.call('GET', `/api/operator/v1/jobs/${id}/comments`, { as: studio.operator.token })).body
      .comments;

  test('200 sends those of the round and more, in one request, and needs no instructions', async () => {
    const delivery = await newDelivery(studio);
    await comment(studio, delivery, 'One.', 'xywh=percent:1,2,3,4', studio.ada.token);
    await comment(studio, delivery, 'Two.');
    expect(await atDesk(delivery.id)).toEqual([]);
    const { status, body } = await ask(delivery.id, {
      round: 0,
      comments: [{ file_id: delivery.file, text: 'Three.', at: 'xywh=percent:50,50,0,0' }],
    });
    expect(status).toBe(200);
    expect(body.job).toMatchObject({
      status: 'accepted',
      revision_requests: [{ round: 1, customer_instructions: '' }],
    });
    const sent = await atDesk(delivery.id);
    expect(sent).toMatchObject([
      { number: 1, text: 'One.', author: { kind: 'customer', name: 'Ada Lovelace' }, at: 'xywh=percent:1,2,3,4' },
      { number: 2, text: 'Two.' },
      { number: 3, text: 'Three.', at: 'xywh=percent:50,50,0,0' },
    ]);
    expect(new Set(sent.map(({ sent_at }: { sent_at: string }) => sent_at)).size).toBe(1);
    expect(await commentsOf(studio, delivery.id)).toMatchObject([1, 2, 3].map(() => ({ never_sent: false })));
  });

  test('200 with instructions as well; the job shows the last revision with its comments', async () => {
    const delivery = await newDelivery(studio);
    expect((await readJob(studio.service, studio.key, delivery.id)).revision).toBeNull();
    await comment(studio, delivery, 'One.');
    await ask(delivery.id, { customer_instructions: 'Rounder.' });
    expect((await readJob(studio.service, studio.key, delivery.id)).revision).toMatchObject({
      round: 1,
      instructions: 'Rounder.',
      comments: [{ text: 'One.', round: 0, editable: false }],
    });
  });

  test('200 a second time with the same Idempotency-Key: the comments are written once', async () => {
    const delivery = await newDelivery(studio);
    const body = { comments: [{ file_id: delivery.file, text: 'Once.' }] };
    const first = await ask(delivery.id, body, 'revise-with-comments');
    expect((await ask(delivery.id, body, 'revise-with-comments')).body).toEqual(first.body);
    expect(await atDesk(delivery.id)).toHaveLength(1);
  });

  test('409 delivery_changed: a round other than the current one, in any status; nothing is sent', async () => {
    const delivery = await newDelivery(studio);
    await comment(studio, delivery, 'One.');
    expect(await outcome(ask(delivery.id, { round: 1 }))).toEqual([409, 'delivery_changed']);
    expect(await atDesk(delivery.id)).toEqual([]);
    expect((await ask(delivery.id, { round: 0 })).status).toBe(200);
    const late = await ask(delivery.id, { round: 0, customer_instructions: 'Rounder.' });
    expect([late.status, late.body.error.code]).toEqual([409, 'delivery_changed']);
    expect(late.body.error.message).toBe(
      'You reviewed delivery 1; the job is accepted in round 1, which is delivery 2.',
    );
    await makeMoves(studio, delivery.id, 'start');
    await deliver(studio, delivery.id);
    expect(await outcome(ask(delivery.id, { round: 1, customer_instructions: 'Rounder.' }))).toEqual([200, undefined]);
  });

  test('422 invalid_request: neither instructions nor comments, whatever the job', async () => {
    const completed = await newDelivery(studio);
    await comment(studio, completed, 'Never sent.');
    for (const id of [unknownJob, await ready(), await newJobIn(studio, 'completed')]) {
      const { status, body } = await ask(id, { comments: [] });
      expect([status, body.error.details]).toEqual([
        422,
        [{ location: '/customer_instructions', message: 'is required' }],
      ]);
    }
    await makeMoves(studio, completed.id, 'approve');
    expect(await outcome(ask(completed.id, {}))).toEqual([409, 'revision_unavailable']);
  });

  test('422 invalid_request: a fault in a comment names its place, and the round stays open', async () => {
    const delivery = await newDelivery(studio);
    const { status, body } = await ask(delivery.id, {
      customer_instructions: 'Rounder.',
      comments: [
        { file_id: delivery.file, text: 'Fine.' },
        { file_id: delivery.file, text: 'Where?', at: 'page=3' },
      ],
    });
    expect([status, body.error.details[0].location]).toEqual([422, '/comments/1/at']);
    expect(await commentsOf(studio, delivery.id)).toEqual([]);
    expect((await readJob(studio.service, studio.key, delivery.id)).job.status).toBe('ready_for_customer_review');
  });

  test('422 unsafe_request: a credential in a comment', async () => {
    const delivery = await newDelivery(studio);
    const { status, body } = await ask(delivery.id, { comments: [{ file_id: delivery.file, text: studio.key }] });
    expect([status, body.error.code, body.error.details[0].location]).toEqual([
      422,
      'unsafe_request',
      '/comments/0/text',
    ]);
  });

  test('403 limit_reached: more than 200 comments in the round', async () => {
    const delivery = await newDelivery(studio);
    await comment(studio, delivery, 'One.');
    const comments = Array.from({ length: 200 }, () => ({ file_id: delivery.file, text: 'More.' }));
    expect(await outcome(ask(delivery.id, { comments }))).toEqual([403, 'limit_reached']);
    expect(await commentsOf(studio, delivery.id)).toHaveLength(1);
  });

  test('403 entitlement_required: no active plan; the comments stay unsent', async () => {
    const delivery = await newDelivery(studio);
    await comment(studio, delivery, 'One.');
    await setPlan(studio.service, studio.ada, 'studio', { status: 'canceled' });
    expect(await outcome(ask(delivery.id, {}))).toEqual([403, 'entitlement_required']);
    await setPlan(studio.service, studio.ada, 'studio', { status: 'active' });
    expect(await commentsOf(studio, delivery.id)).toMatchObject([{ sent_at: null }]);
  });

  test('200 beside comments at the same moment: each is sent or refused, none is lost', async () => {
    const delivery = await newDelivery(studio);
    await comment(studio, delivery, 'One.');
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => comment(studio, delivery, 'At once.')),
      ask(delivery.id, { round: 0 }),
    ]);
    const written = answers.filter(({ status }) => status === 201).length;
    expect(await atDesk(delivery.id)).toHaveLength(1 + written);
    expect(await commentsOf(studio, delivery.id)).toHaveLength(1 + written);
  });

  test('409 invalid_transition: changing or deleting a comment that was sent', async () => {
    const delivery = await newDelivery(studio);
    const { body } = await comment(studio, delivery, 'One.');
    await ask(delivery.id, {});
    const path = `/api/v1/jobs/${delivery.id}/comments/${body.comment.id}`;
    for (const [method, changes] of [
      ['PATCH', { text: 'Two.' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await studio.service.call(method, path, { as: studio.key, ...(changes ? { body: changes } : {}) });
      expect([answer.status, answer.body.error.code]).toEqual([409, 'invalid_transition']);
    }
  });
});
