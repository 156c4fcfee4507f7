import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { canHold, jobStatuses } from '../../../contract/moves.ts';
import { showId } from '../../lib/id.ts';
import { storeAlerts } from './store-alerts.ts';
import { sharedStudio, newJobIn, post, readJob, type Studio } from '../../../test/support/jobs.ts';
import { toldTo } from '../../../test/support/notifications.ts';
import { untilBlocked } from '../../../test/support/locks.ts';
import { makeOperator, type TestPerson } from '../../../test/support/people.ts';
import { heartbeat, leasedJob, makeWorker } from '../../../test/support/workers.ts';

let studio: Studio;
let colleague: TestPerson;
beforeAll(async () => {
  studio = await sharedStudio();
  colleague = await makeOperator(studio.service);
});

const hold = (id: string, body: object = {}, as = studio.operator.token, key?: string) =>
  post(studio.service, as, `/api/operator/v1/jobs/${id}/hold`, body, key);
const me = () => showId('user', studio.operator.userId);
const them = () => showId('user', colleague.userId);

test('200 takes the job from another operator; status, history and what the customer sees stay', async () => {
  for (const from of ['accepted', 'running'] as const) {
    const id = await newJobIn(studio, from);
    const before = await readJob(studio.service, studio.key, id);
    const { status, body } = await hold(id, {}, colleague.token);
    expect([status, body.job.status, body.job.holder.operator_id]).toEqual([200, from, them()]);
    expect(await readJob(studio.service, studio.key, id)).toEqual(before);
  }
});

test('200 hands the job over, and the colleague goes on with it', async () => {
  const id = await newJobIn(studio, 'accepted');
  expect((await hold(id, { operator_id: them() })).body.job.holder.operator_id).toBe(them());
  const mine = await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${id}/start`, {});
  expect([mine.status, mine.body.error.code]).toEqual([409, 'invalid_transition']);
  expect((await post(studio.service, colleague.token, `/api/operator/v1/jobs/${id}/start`, {})).status).toBe(200);
});

test('200 with a note, which is internal; the colleague is told its first words', async () => {
  const id = await newJobIn(studio, 'accepted');
  expect((await hold(id, { operator_id: them(), note: 'The sources are in the thread.' })).status).toBe(200);
  const { body } = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: colleague.token });
  expect(body.job.notes).toMatchObject([{ body: 'The sources are in the thread.', created_by: { id: me() } }]);
  await storeAlerts(studio.service.context.db, new AbortController().signal, 1);
  const told = (await toldTo(studio.service, colleague, 'studio')).find(({ job_id }) => job_id === id);
  expect(told).toMatchObject({ kind: 'handed_over', words: { text: 'The sources are in the thread.' } });
  expect(JSON.stringify(await readJob(studio.service, studio.key, id))).not.toContain('sources');
});

test('200 while the new holder changes the limit of the one who hands over', async () => {
  const id = await newJobIn(studio, 'accepted');
  const [first, second] = [studio.operator, colleague].toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
  const { db } = studio.service.context;
  const { waiting } = await db.transaction().execute(async (trx) => {
    await sql`select from people where id = ${first!.userId} for no key update`.execute(trx);
    const change = studio.service.call('PATCH', `/api/operator/v1/operators/${showId('user', second!.userId)}`, {
      as: first!.token,
      body: { held_limit: 9 },
    });
    await untilBlocked(db);
    const handOver = hold(id, { operator_id: showId('user', first!.userId) }, second!.token);
    await untilBlocked(db, 2);
    return { waiting: [change, handOver] };
  });
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
});

test('200 ends the lease of a worker, who gets 409 from then on', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker);
  const { body } = await hold(id);
  expect(body.job.holder).toMatchObject({ operator_id: me(), worker_key_id: null, lease_expires_at: null });
  expect((await heartbeat(studio, worker, id, token)).body.error.code).toBe('lease_lost');
});

test('200 again with the same Idempotency-Key: the job as it is now, not taken a second time', async () => {
  const id = await newJobIn(studio, 'running');
  await hold(id, {}, studio.operator.token, 'once');
  await hold(id, {}, colleague.token);
  const again = await hold(id, {}, studio.operator.token, 'once');
  const { body } = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token });
  expect([again.status, again.headers.get('idempotent-replayed'), again.body.job]).toEqual([200, 'true', body.job]);
  expect(body.job.holder.operator_id).toBe(them());
});

test('a key remembers a move in at most 100 bytes', async () => {
  const id = await newJobIn(studio, 'running');
  await hold(id, {}, studio.operator.token, id);
  const { rows } = await sql<{ bytes: number }>`
    select octet_length(answer::text) as bytes from caller_idempotency_keys where key = ${id}`.execute(
    studio.service.context.db,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.bytes).toBeLessThanOrEqual(100);
});

test('422 idempotency_key_conflict: the same key with another body', async () => {
  const id = await newJobIn(studio, 'running');
  await hold(id, {}, studio.operator.token, 'conflict');
  const { status, body } = await hold(id, { operator_id: them() }, studio.operator.token, 'conflict');
  expect([status, body.error.code]).toEqual([422, 'idempotency_key_conflict']);
});

describe('409 invalid_transition', () => {
  test.each(jobStatuses.filter((status) => !canHold(status)))('%s', async (from) => {
    const { status, body } = await hold(await newJobIn(studio, from));
    expect([status, body.error.code]).toEqual([409, 'invalid_transition']);
    expect(body.error.message).toContain(from);
  });
});

test('404 operator_not_found: a person who is not an operator, and an id that names nobody', async () => {
  const id = await newJobIn(studio, 'running');
  for (const operator_id of [showId('user', studio.ada.userId), 'x']) {
    const answer = await hold(id, { operator_id });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'operator_not_found']);
  }
});

test('403 role_required: a maker hands a job over, or takes one that somebody holds', async () => {
  const id = await newJobIn(studio, 'running');
  const maker = await makeOperator(studio.service, 'maker');
  const lead = await makeOperator(studio.service, 'lead');
  const path = `/api/operator/v1/jobs/${id}/hold`;
  const taken = await post(studio.service, maker.token, path, {});
  expect([taken.status, taken.body.error.code]).toEqual([403, 'role_required']);
  expect((await hold(id, { operator_id: showId('user', maker.userId) })).status).toBe(200);
  const handed = await post(studio.service, maker.token, path, { operator_id: showId('user', lead.userId) });
  expect([handed.status, handed.body.error.code]).toEqual([403, 'role_required']);
  expect((await post(studio.service, lead.token, path, {})).status).toBe(200);
});
