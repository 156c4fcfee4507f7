import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { addSecondFactor } from '../../../test/support/authenticator.ts';
import { followEvents } from '../../../test/support/event-stream.ts';
import { createService, type Got } from '../../../test/support/harness.ts';
import { sharedStudio, makeMoves, newJob, post, readJob, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { untilBlocked } from '../../../test/support/locks.ts';
import { goodPassword, makeOperator, type TestPerson } from '../../../test/support/people.ts';
import { claim, leasedJob, lonelyJob, makeWorker, moveAs } from '../../../test/support/workers.ts';
import { showId } from '../../lib/id.ts';
import { ensureOperator } from './ensure-operator.ts';
import { removeOperatorByEmail } from './remove-operator-by-email.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const path = '/api/operator/v1/worker-keys';
const workerOf = async (operator: TestPerson): Promise<{ id: string; key: string }> => {
  const { status, body } = await post(studio.service, operator.token, path, { name: 'night press' });
  expect(status).toBe(201);
  return { id: body.worker_key.id, key: body.plaintext_key };
};
const listed = async (id: string) =>
  (await studio.service.call('GET', path, { as: studio.operator.token })).body.worker_keys.find(
    (key: { id: string }) => key.id === id,
  );
const auditOf = async (subject: string) =>
  (await studio.service.call('GET', `/api/operator/v1/audit?subject=${subject}`, { as: studio.operator.token })).body
    .audit_entries;

const replacePassword = (email: string) =>
  ensureOperator(studio.service.context, { email, password: 'another good password', replacePassword: true });

test.each([
  ['who is removed', (email: string) => removeOperatorByEmail(studio.service.context, email)],
  ['whose password is replaced', replacePassword],
])('the worker keys of an operator %s are revoked, and the jobs of both go back', async (_, end) => {
  const operator = await makeOperator(studio.service);
  const [worker, stays] = [await workerOf(operator), await workerOf(studio.operator)];
  const byWorker = await leasedJob(studio, worker.key, 'running');
  const byOperator = await leasedJob(studio, operator.token);
  const elsewhere = await leasedJob(studio, stays.key);
  await end(operator.email);

  const refused = await claim(studio, worker.key);
  expect([refused.status, refused.body.error.message]).toEqual([401, expect.stringContaining('was revoked on')]);
  expect(await listed(worker.id)).toMatchObject({
    status: 'revoked',
    revoked_at: expect.any(String),
    created_by: { kind: 'user', id: showId('user', operator.userId), name: 'Operator' },
  });
  for (const { id } of [byWorker, byOperator]) {
    const { job, events } = await readJob(studio.service, studio.key, id);
    expect(job.status).toBe('queued');
    expect(events.at(-1)).toMatchObject({ type: 'job.requeued', actor: 'service' });
  }
  expect((await readJob(studio.service, studio.key, elsewhere.id)).job.status).toBe('accepted');
  expect((await moveAs(studio, stays.key, elsewhere.id, 'start', elsewhere.token)).status).toBe(200);
  expect((await claim(studio, stays.key, { service_families: [byWorker.family] })).body.job.id).toBe(byWorker.id);
  const [revoked] = await auditOf(worker.id);
  const maker = { creator_id: showId('user', operator.userId) };
  expect(revoked).toMatchObject({ action: 'worker_key.revoked', actor: 'service', details: maker });
});

test('a job in review does not return to a removed operator', async () => {
  const operator = await makeOperator(studio.service);
  const id = await newJob(studio.service, studio.key);
  for (const move of ['accept', 'start', 'submit'] as const)
    expect((await moveAs(studio, operator.token, id, move)).status).toBe(200);
  await removeOperatorByEmail(studio.service.context, operator.email);
  await makeMoves(studio, id, 'return');
  const { body } = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token });
  expect([body.job.status, body.job.holder]).toEqual(['running', null]);
});

test('a lease that ends this way does not count towards parking', async () => {
  const operator = await makeOperator(studio.service);
  const worker = await workerOf(operator);
  const { id } = await leasedJob(studio, worker.key);
  await removeOperatorByEmail(studio.service.context, operator.email);
  const row = studio.service.context.db.selectFrom('jobs').select('lease_expiries').where('id', '=', uuidOf('job', id));
  expect(await row.executeTakeFirst()).toEqual({ lease_expiries: 0 });
});

test('a worker key that is being made at the same moment does not outlive its maker', async () => {
  for (let round = 0; round < 5; round++) {
    const operator = await makeOperator(studio.service);
    const making = Array.from({ length: 4 }, () =>
      post(studio.service, operator.token, path, { name: `late ${round}` }),
    );
    await Promise.all([removeOperatorByEmail(studio.service.context, operator.email), ...making]);
    const left = await studio.service.context.db
      .selectFrom('worker_keys')
      .select('id')
      .where('created_by', '=', operator.userId)
      .where('revoked_at', 'is', null)
      .execute();
    expect(left).toEqual([]);
  }
});

describe('a request that was authenticated before its operator was removed', () => {
  type Act = (on: { operator: TestPerson; id: string; family: string }) => Promise<Got>;
  const moved =
    (move: string, body: object): Act =>
    async ({ operator, id }) =>
      post(studio.service, operator.token, `/api/operator/v1/jobs/${id}/${move}`, body);
  test.each<[string, Act]>([
    ['accept', moved('accept', {})],
    ['claim', ({ operator, family }) => claim(studio, operator.token, { service_families: [family] })],
    ['hold', moved('hold', {})],
    ['start', moved('start', {})],
    [
      'hold for them by another operator',
      ({ operator, id }) =>
        post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${id}/hold`, {
          operator_id: showId('user', operator.userId),
        }),
    ],
  ])('holds no job: %s', async (name, act) => {
    const { db } = studio.service.context;
    const operator = await makeOperator(studio.service);
    const queued = name === 'claim' || name === 'accept';
    const job = queued ? await lonelyJob(studio) : await leasedJob(studio, await makeWorker(studio));
    const removal = await db.startTransaction().execute();
    await removal.updateTable('people').set({ operator_role: null }).where('id', '=', operator.userId).execute();
    const late = act({ operator, ...job });
    await untilBlocked(db);
    await removal.commit().execute();
    expect((await late).status).toBe(name.startsWith('hold for') ? 404 : 401);
    const { body } = await studio.service.call('GET', `/api/operator/v1/jobs/${job.id}`, { as: studio.operator.token });
    expect(body.job.holder?.operator_id).not.toBe(showId('user', operator.userId));
  });
});

test('401: the key of a maker who is no operator never works, even where nothing revoked it', async () => {
  const operator = await makeOperator(studio.service);
  const worker = await workerOf(operator);
  await studio.service.context.db
    .updateTable('people')
    .set({ operator_role: null })
    .where('id', '=', operator.userId)
    .execute();
  const refused = await claim(studio, worker.key);
  expect([refused.status, refused.body.error.message]).toEqual([401, 'This worker key was revoked.']);
  expect((await listed(worker.id)).status).toBe('revoked');
});

test('open streams end soon: of a removed operator, and of their worker keys', async () => {
  const operator = await makeOperator(studio.service);
  const worker = await workerOf(operator);
  const streams = await Promise.all(
    [operator.token, worker.key].map((as) =>
      followEvents(studio.service, as, { path: '/api/operator/v1/queue/stream' }),
    ),
  );
  const began = performance.now();
  await removeOperatorByEmail(studio.service.context, operator.email);
  for (const stream of streams) {
    const entries = [];
    for (let entry = await stream.next(); entry; entry = await stream.next()) entries.push(entry.event);
    expect(entries.at(-1)).toBe('bye');
  }
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('an open stream ends soon after the second factor is switched off; another one stays open', async () => {
  const strict = await createService({ OPERATOR_SECOND_FACTOR: 'required' });
  const [operator, other] = [await makeOperator(strict), await makeOperator(strict)];
  const { token, phone } = await addSecondFactor(strict, operator);
  const { token: others } = await addSecondFactor(strict, other);
  const follow = (as: string) => followEvents(strict, as, { path: '/api/operator/v1/queue/stream' });
  const [stream, open] = [await follow(token), await follow(others)];
  const began = performance.now();
  const body = { password: goodPassword, code: phone(1) };
  expect((await strict.call('POST', '/api/auth/second-factor/end', { as: token, body })).status).toBe(200);
  const entries = [];
  for (let entry = await stream.next(); entry; entry = await stream.next()) entries.push(entry.event);
  expect(entries.at(-1)).toBe('bye');
  expect(performance.now() - began).toBeLessThan(20_000);
  const heard: (string | null)[] = [];
  const reading = (async () => {
    for (let entry = await open.next(); entry; entry = await open.next()) heard.push(entry.event);
    heard.push('ended');
  })();
  await sleep(1_000);
  expect(heard).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:bye|ended)$/)]));
  const refused = await strict.call('GET', '/api/operator/v1/queue/stream', { as: token });
  expect(refused.body.error.code).toBe('second_factor_required');
  await open.close();
  await reading.catch(() => {});
  await strict.close();
});
