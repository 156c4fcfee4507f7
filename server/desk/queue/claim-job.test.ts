import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  makeMoves,
  newJob,
  newJobIn,
  post,
  createStudio,
  readJob,
  setPlan,
  type Studio,
  uuidOf,
} from '../../../test/support/jobs.ts';
import { showId } from '../../lib/id.ts';
import { ask, say, sayAtDesk } from '../../../test/support/talk.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { claim, leasedJob, lonelyJob, makeWorker, moveAs, runOut, sweep } from '../../../test/support/workers.ts';

let studio: Studio;
let worker: string;
/** Of this test alone. */
let family: string;
let mine: { service_families: string[] };
// Of its own: it claims whatever is queued.
beforeAll(async () => {
  studio = await createStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
  const { token, userId } = studio.operator;
  const path = `/api/operator/v1/operators/${showId('user', userId)}`;
  await studio.service.call('PATCH', path, { as: token, body: { held_limit: 100 } });
});
afterAll(() => studio.service.close());
beforeEach(async () => {
  worker = await makeWorker(studio);
  family = randomUUID();
  mine = { service_families: [family] };
});

const waits = () => studio.service.context.waits.callers().length;
const newOne = async () => (await lonelyJob(studio, family)).id;
const deskJob = async (id: string) =>
  (await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token })).body.job;
const claimed = async (as: string, body: object = mine) => (await claim(studio, as, body)).body?.job?.id ?? null;

/** A job that a worker has done and the desk has sent back, or that the customer wants revised; nobody holds it. */
async function sentBack(by: 'return' | 'revision'): Promise<string> {
  const { id, token } = await leasedJob(studio, worker, 'running', randomUUID());
  await moveAs(studio, worker, id, 'submit', token);
  await makeMoves(studio, id, ...(by === 'return' ? (['return'] as const) : (['pass', 'revision'] as const)));
  const { db } = studio.service.context;
  await db.updateTable('jobs').set({ service_family: family }).where('id', '=', uuidOf('job', id)).execute();
  return id;
}

describe('the answer', () => {
  test('200 with the thread of the job, also for a repeat, without names of people', async () => {
    const id = await newOne();
    await say(studio, id, 'Round, please.');
    await sayAtDesk(studio, id, 'It will be.');
    const first = await claim(studio, worker, mine, 'thread');
    expect(first.body.messages).toMatchObject([
      { text: 'It will be.', author: { kind: 'studio', name: 'The studio' } },
      { text: 'Round, please.', author: { kind: 'customer', name: '' } },
    ]);
    expect((await claim(studio, worker, mine, 'thread')).body).toEqual(first.body);
  });

  test('200 with the job and its lease: accepted by a worker, without the name of the account', async () => {
    const id = await newOne();
    const { status, body } = await claim(studio, worker, { ...mine, lease_seconds: 60 });
    expect(status).toBe(200);
    const whole = await deskJob(id);
    expect(body.job).toEqual({ ...whole, account: null, done_by: [], created_by: { ...whole.created_by, name: '' } });
    expect(body.job).toMatchObject({ id, status: 'accepted', customer_instructions: expect.any(String) });
    expect(body.lease).toEqual({ token: expect.any(String), expires_at: body.job.holder.lease_expires_at });
    const lasts = Date.parse(body.lease.expires_at) - Date.parse(body.job.holder.since);
    expect(lasts).toBeGreaterThanOrEqual(60_000);
    expect(lasts).toBeLessThan(90_000);
    const { events } = await readJob(studio.service, studio.key, id);
    expect(events.at(-1)).toMatchObject({
      type: 'job.accepted',
      actor: 'worker',
      job: { previous_status: 'queued' },
    });
  });

  test('200 with the note of a return and the wish of a revision, each in its status and without an event', async () => {
    for (const [by, status] of [['return', 'running'] as const, ['revision', 'accepted'] as const]) {
      const id = await sentBack(by);
      const before = await readJob(studio.service, studio.key, id);
      const { body } = await claim(studio, worker, mine);
      expect(body.job).toMatchObject({ id, status });
      expect(by === 'return' ? body.job.notes : body.job.revision_requests).toHaveLength(1);
      expect((await readJob(studio.service, studio.key, id)).events).toEqual(before.events);
    }
  });

  test('200 with the note of the return alone, and without names of people', async () => {
    const id = await newOne();
    const note = (text: string) =>
      post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${id}/notes`, { body: text });
    expect((await note('The customer is a friend.')).status).toBe(201);
    for (const move of ['accept', 'start', 'submit'] as const) await makeMoves(studio, id, move);
    const path = `/api/operator/v1/jobs/${id}`;
    await post(studio.service, studio.operator.token, `${path}/return`, { note: 'Rounder.' });
    await note('Between us.');
    expect((await post(studio.service, studio.operator.token, `${path}/release`, {})).status).toBe(200);
    const { status, body } = await claim(studio, worker, mine);
    expect([status, body.job.id]).toEqual([200, id]);
    expect(body.job.notes).toMatchObject([{ body: 'Rounder.', created_by: { name: '' } }]);
    expect(body.job.created_by.name).toBe('');
    expect((await deskJob(id)).notes).toHaveLength(3);
  });

  test('204 with nothing to do: no job, or none that is free', async () => {
    expect((await claim(studio, worker, mine)).status).toBe(204);
    for (const status of ['accepted', 'needs_review', 'ready_for_customer_review', 'canceled'] as const)
      await newJobIn(studio, status);
    expect((await claim(studio, worker, { service_families: ['design'] })).status).toBe(204);
  });

  test('200 gives the same lease again for the same Idempotency-Key; 204 is not remembered', async () => {
    const key = randomUUID();
    expect((await claim(studio, worker, mine, key)).status).toBe(204);
    await newOne();
    await newOne();
    const first = await claim(studio, worker, mine, key);
    const second = await claim(studio, worker, mine, key);
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
    expect((await claim(studio, await makeWorker(studio), mine, key)).body.job.id).not.toBe(first.body.job.id);
  });

  test('409 lease_lost: a repeat after the lease has ended, which changes nothing', async () => {
    const key = randomUUID();
    await newOne();
    const first = await claim(studio, worker, mine, key);
    await runOut(studio, first.body.job.id);
    const { status, body } = await claim(studio, worker, mine, key);
    expect([status, body.error.code]).toEqual([409, 'lease_lost']);
    await sweep(studio);
    const next = await claim(studio, worker, mine);
    expect([next.status, next.body.job.id]).toEqual([200, first.body.job.id]);
  });

  test('422 idempotency_key_conflict: the same key with another body', async () => {
    const key = randomUUID();
    await newOne();
    await claim(studio, worker, mine, key);
    const { status, body } = await claim(studio, worker, { ...mine, lease_seconds: 5 }, key);
    expect([status, body.error.code]).toEqual([422, 'idempotency_key_conflict']);
  });

  test.each([
    [{ lease_seconds: 4 }, '/lease_seconds'],
    [{ lease_seconds: 3601 }, '/lease_seconds'],
    [{ lease_seconds: 5.5 }, '/lease_seconds'],
    [{ service_families: [] }, '/service_families'],
    [{ service_families: 'design' }, '/service_families'],
    [{ worker: 'me' }, '/worker'],
  ])('422 invalid_request: %j', async (given, location) => {
    const { status, body } = await claim(studio, worker, given);
    expect([status, body.error.details[0].location]).toEqual([422, location]);
  });

  test('403 limit_reached: the eleventh live lease of a worker key, until one of the ten ends', async () => {
    const busy = await makeWorker(studio);
    for (let n = 0; n < 11; n++) await newOne();
    const leases = [];
    for (let n = 0; n < 10; n++) leases.push((await claim(studio, busy, mine)).body);
    const { status, body } = await claim(studio, busy, { ...mine, wait: 20 });
    expect([status, body.error.code]).toEqual([403, 'limit_reached']);
    expect(body.error.message).toBe('The worker key holds 10 live leases; it may hold 10.');
    expect(body.error.action).toContain('Submit or release');
    await moveAs(studio, busy, leases[0].job.id, 'release', leases[0].lease.token);
    expect(await claimed(busy)).not.toBeNull();
    await runOut(studio, leases[1].job.id);
    await newOne();
    expect((await claim(studio, busy, mine)).status).toBe(200);
  });

  test('403 limit_reached: twenty claims at once by one worker key give ten leases', async () => {
    const busy = await makeWorker(studio);
    await Promise.all(Array.from({ length: 20 }, newOne));
    const answers = await Promise.all(Array.from({ length: 20 }, () => claim(studio, busy, mine)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ body }) => body.error?.code === 'limit_reached')).toHaveLength(10);
    const leased = answers.flatMap(({ body }) => body.job?.id ?? []);
    expect(new Set(leased).size).toBe(10);
  });

  test('403 limit_reached: an operator who holds as many jobs as they may, by whatever way', async () => {
    const operator = await makeOperator(studio.service);
    const settings = `/api/operator/v1/operators/${showId('user', operator.userId)}`;
    await studio.service.call('PATCH', settings, { as: studio.operator.token, body: { held_limit: 3 } });
    const ids = [await newOne(), await newOne(), await newOne(), await newOne(), await newOne()];
    await post(studio.service, operator.token, `/api/operator/v1/jobs/${ids[4]}/accept`, {});
    const answers = await Promise.all(ids.map(() => claim(studio, operator.token, mine)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 403, 403, 403]);
    const refused = answers.find(({ status }) => status === 403);
    expect(refused?.body.error).toMatchObject({ code: 'limit_reached', message: 'You hold 3 of 3 jobs.' });
    await post(studio.service, operator.token, `/api/operator/v1/jobs/${ids[4]}/release`, {});
    expect((await claim(studio, operator.token, mine)).status).toBe(200);
  });

  test('204 for an operator whose families have no free job; 200 once they take all families', async () => {
    const operator = await makeOperator(studio.service);
    const settings = `/api/operator/v1/operators/${showId('user', operator.userId)}`;
    const take = (service_families: string[] | null) =>
      studio.service.call('PATCH', settings, { as: studio.operator.token, body: { service_families } });
    await newOne();
    await take(['software']);
    expect((await claim(studio, operator.token, mine)).status).toBe(204);
    await take(null);
    expect((await claim(studio, operator.token, mine)).status).toBe(200);
  });

  test('403 role_required: a customer; credential_not_accepted: an API key', async () => {
    expect((await claim(studio, studio.ada.token)).body.error.code).toBe('role_required');
    expect((await claim(studio, studio.key)).body.error.code).toBe('credential_not_accepted');
  });
});

describe('which job', () => {
  const setDue = (at: string, ...ids: string[]) =>
    studio.service.context.db
      .updateTable('jobs')
      .set({ due_at: new Date(at) })
      .where(
        'id',
        'in',
        ids.map((id) => uuidOf('job', id)),
      )
      .execute();

  test.each(['worker', 'operator'])(
    '200 for a %s: revisions and returned jobs first, then the queue, each by due date, then by age',
    async (caller) => {
      const as = caller === 'worker' ? await makeWorker(studio) : studio.operator.token;
      const queued = [await newOne(), await newOne(), await newOne(), await newOne()] as const;
      const back = [await sentBack('revision'), await sentBack('return'), await sentBack('revision')] as const;
      await setDue('2030-01-03T00:00:00Z', queued[0], queued[1], back[0], back[1]);
      await setDue('2030-01-02T00:00:00Z', queued[3]);
      await setDue('2030-01-04T00:00:00Z', queued[2], back[2]);
      const claims = [];
      for (let n = 0; n < 8; n++) claims.push(await claimed(as));
      expect(claims).toEqual([...back, queued[3], queued[0], queued[1], queued[2], null]);
    },
  );

  test('200 for different jobs, however many claim at the same moment', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, newOne));
    const callers = [await makeWorker(studio), await makeWorker(studio), studio.operator.token];
    const got = await Promise.all(Array.from({ length: 24 }, (_, n) => claimed(callers[n % 3] ?? worker)));
    // A claim may pass over a job that another one is just taking, so a last one may be left.
    const { token } = studio.operator;
    for (let id = await claimed(token); id !== null; id = await claimed(token)) got.push(id);
    expect(got.filter((id) => id !== null).toSorted()).toEqual(ids.toSorted());
  });

  test('204: a key limited to families never gets another, whatever it asks for', async () => {
    const limited = await makeWorker(studio, ['writing']);
    const design = await newJob(studio.service, studio.key);
    expect(await claimed(limited, {})).toBeNull();
    expect(await claimed(limited, { service_families: ['design'] })).toBeNull();
    expect(await claimed(limited, { service_families: ['design', 'writing'] })).toBeNull();
    expect(await claimed(worker, { service_families: ['writing'] })).toBeNull();
    expect(await claimed(worker, { service_families: ['writing', 'design'] })).toBe(design);
  });

  test('204 for a worker after five expired leases: the job is parked, and an operator gets it', async () => {
    const id = await newOne();
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await deskJob(id)).toMatchObject({ parked: false });
      expect(await claimed(worker)).toBe(id);
      await runOut(studio, id);
      await sweep(studio);
    }
    expect(await deskJob(id)).toMatchObject({ status: 'queued', parked: true, holder: null });
    expect(await claimed(worker)).toBeNull();
    expect(await claimed(studio.operator.token)).toBe(id);
    expect(await deskJob(id)).toMatchObject({ status: 'accepted', parked: false });
    await moveAs(studio, studio.operator.token, id, 'release');
    expect(await claimed(worker)).toBe(id);
  });

  test('200 for a worker when a move of an operator has reset the count of expired leases', async () => {
    const id = await newOne();
    for (let attempt = 1; attempt <= 8; attempt++) {
      expect(await claimed(worker)).toBe(id);
      await runOut(studio, id);
      await sweep(studio);
      if (attempt === 4) await makeMoves(studio, id, 'accept', 'release');
    }
  });

  test('200 for an operator, who then holds the job under a lease', async () => {
    const id = await newOne();
    const { body } = await claim(studio, studio.operator.token, { ...mine, lease_seconds: 5 });
    expect(body.job).toMatchObject({ id, account: { name: 'Ada Lovelace' } });
    expect(body.job.holder).toMatchObject({ worker_key_id: null, lease_expires_at: body.lease.expires_at });
    const other = await makeOperator(studio.service);
    expect((await moveAs(studio, other.token, id, 'start')).body.error.code).toBe('invalid_transition');
    await runOut(studio, id);
    await sweep(studio);
    expect(await deskJob(id)).toMatchObject({ status: 'queued', holder: null });
    const { db } = studio.service.context;
    const row = db.selectFrom('jobs').select('lease_expiries').where('id', '=', uuidOf('job', id));
    expect(await row.executeTakeFirst()).toEqual({ lease_expiries: 1 });
  });
});

test('200: a free job whose question was answered comes before an older one', async () => {
  const older = await newOne();
  const answered = await newOne();
  await ask(studio, answered);
  await say(studio, answered, 'The dark one.');
  expect([await claimed(worker), await claimed(worker)]).toEqual([answered, older]);
});

test('200 as soon as there is a job, and 204 once the wait is over', async () => {
  const began = performance.now();
  expect((await claim(studio, worker, { ...mine, wait: 1 })).status).toBe(204);
  expect(performance.now() - began).toBeGreaterThan(900);
  const waiting = claim(studio, worker, { ...mine, wait: 20 });
  const id = await newOne();
  expect((await waiting).body).toMatchObject({ job: { id } });
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('a worker that hangs up while it waits is given nothing', async () => {
  const hangsUp = new AbortController();
  const waiting = fetch(`${studio.service.url}/api/operator/v1/jobs/claim`, {
    method: 'POST',
    headers: { authorization: `Bearer ${worker}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...mine, wait: 20 }),
    signal: hangsUp.signal,
  });
  await expect.poll(waits).toBe(1);
  hangsUp.abort();
  await expect(waiting).rejects.toThrow('aborted');
  await expect.poll(waits).toBe(0);
  const id = await newOne();
  await pause(700);
  expect(await deskJob(id)).toMatchObject({ status: 'queued', holder: null });
  expect(await claimed(worker)).toBe(id);
});

test('401 unauthenticated: the worker key is revoked while it waits', async () => {
  const robot = await makeWorker(studio);
  const { body } = await studio.service.call('GET', '/api/operator/v1/worker-keys', { as: studio.operator.token });
  const waiting = claim(studio, robot, { ...mine, wait: 25 });
  await expect.poll(waits).toBe(1);
  const began = performance.now();
  const path = `/api/operator/v1/worker-keys/${body.worker_keys[0].id}`;
  expect((await studio.service.call('DELETE', path, { as: studio.operator.token })).status).toBe(200);
  expect((await waiting).status).toBe(401);
  expect(performance.now() - began).toBeLessThan(20_000);
});
