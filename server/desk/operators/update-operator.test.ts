import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { showId } from '../../lib/id.ts';
import { createStudio, type Studio } from '../../../test/support/jobs.ts';
import { followEvents } from '../../../test/support/event-stream.ts';
import { untilBlocked } from '../../../test/support/locks.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { removeOperatorByEmail } from './remove-operator-by-email.ts';

let studio: Studio;
// Of its own: it lists all operators.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const update = (body: object, id = showId('user', studio.operator.userId), as = studio.operator.token) =>
  studio.service.call('PATCH', `/api/operator/v1/operators/${id}`, { as, body });

test('200 changes the fields that are sent and keeps the others', async () => {
  const { status, body } = await update({ service_families: ['design', 'data'] });
  expect([status, body.operator]).toEqual([
    200,
    expect.objectContaining({ service_families: ['design', 'data'], held_limit: 10, held_jobs: 0 }),
  ]);
  expect((await update({ held_limit: 3 })).body.operator).toMatchObject({
    service_families: ['design', 'data'],
    held_limit: 3,
  });
  const { body: now } = await update({ service_families: null });
  expect(now.operator).toMatchObject({ service_families: null, held_limit: 3 });
  const { body: list } = await studio.service.call('GET', '/api/operator/v1/operators', { as: studio.operator.token });
  expect(list.operators).toEqual([now.operator]);
});

test('200 for two operators who change each other, or one of them twice, at the same time', async () => {
  const colleague = await makeOperator(studio.service);
  const [mine, theirs] = [studio.operator, colleague].map(({ userId }) => showId('user', userId));
  const { db } = studio.service.context;
  const answers = await db.transaction().execute(async (trx) => {
    await sql`select from people where operator for share`.execute(trx);
    const waiting = [
      update({ held_limit: 4 }, theirs),
      update({ held_limit: 5 }, mine, colleague.token),
      update({ held_limit: 6 }),
      update({ held_limit: 7 }),
    ];
    await untilBlocked(db, waiting.length);
    return { waiting };
  });
  for (const { status } of await Promise.all(answers.waiting)) expect(status).toBe(200);
});

const rolesNow = async () => {
  const { body } = await studio.service.call('GET', '/api/operator/v1/operators', { as: studio.operator.token });
  return Object.fromEntries(body.operators.map(({ id, role }: { id: string; role: string }) => [id, role]));
};

test('200 a new role holds from the next request on, and its change is audited', async () => {
  const colleague = await makeOperator(studio.service, 'maker');
  const id = showId('user', colleague.userId);
  const payments = () => studio.service.call('GET', '/api/operator/v1/provider-events', { as: colleague.token });
  expect((await payments()).body.error.code).toBe('role_required');
  const { status, body } = await update({ role: 'lead' }, id);
  expect([status, body.operator]).toEqual([200, expect.objectContaining({ role: 'lead', held_limit: 10 })]);
  expect((await payments()).status).toBe(200);
  const session = await studio.service.call('GET', '/api/auth/session', { as: colleague.token });
  expect(session.body.user).toMatchObject({ operator: true, operator_role: 'lead' });
  const { body: audit } = await studio.service.call('GET', `/api/operator/v1/audit?subject=${id}`, {
    as: studio.operator.token,
  });
  expect(audit.audit_entries[0]).toMatchObject({
    action: 'operator.updated',
    details: { role: 'lead', previous_role: 'maker' },
  });
});

test('200 who may not make worker keys any more loses those that they made', async () => {
  const colleague = await makeOperator(studio.service);
  const made = await studio.service.call('POST', '/api/operator/v1/worker-keys', {
    as: colleague.token,
    body: { name: 'press' },
  });
  const claim = () =>
    studio.service.call('POST', '/api/operator/v1/jobs/claim', { as: made.body.plaintext_key, body: {} });
  expect((await claim()).status).toBe(204);
  expect((await update({ role: 'lead' }, showId('user', colleague.userId))).status).toBe(200);
  expect((await claim()).status).toBe(401);
});

test('an open stream ends soon after the role is changed', async () => {
  const colleague = await makeOperator(studio.service, 'lead');
  const stream = await followEvents(studio.service, colleague.token, { path: '/api/operator/v1/queue/stream' });
  await update({ role: 'maker' }, showId('user', colleague.userId));
  const entries = [];
  for (let entry = await stream.next(); entry; entry = await stream.next()) entries.push(entry.event);
  expect(entries.at(-1)).toBe('bye');
});

test('403 role_required: a request that was authenticated before the role was changed', async () => {
  const colleague = await makeOperator(studio.service);
  const { db } = studio.service.context;
  const change = await db.startTransaction().execute();
  await change.updateTable('people').set({ operator_role: 'maker' }).where('id', '=', colleague.userId).execute();
  const late = update({ role: 'maker' }, showId('user', studio.operator.userId), colleague.token);
  await untilBlocked(db);
  await change.commit().execute();
  expect((await late).body.error.code).toBe('role_required');
  expect(Object.values(await rolesNow())).toContain('owner');
});

test('409 last_owner: alone, and for two who demote each other at the same time', async () => {
  const { db } = studio.service.context;
  const first = showId('user', studio.operator.userId);
  await db
    .updateTable('people')
    .set({ operator_role: 'lead' })
    .where('operator', '=', true)
    .where('id', '!=', studio.operator.userId)
    .execute();
  const refused = await update({ role: 'lead' });
  expect([refused.status, refused.body.error.code]).toEqual([409, 'last_owner']);
  expect((await update({ role: 'owner', held_limit: 8 })).status).toBe(200);
  await expect(removeOperatorByEmail(studio.service.context, studio.operator.email)).rejects.toMatchObject({
    code: 'last_owner',
  });
  const second = await makeOperator(studio.service);
  const answers = await db.transaction().execute(async (trx) => {
    await sql`select from people where operator for share`.execute(trx);
    const waiting = [
      update({ role: 'lead' }, showId('user', second.userId)),
      update({ role: 'lead' }, first, second.token),
    ];
    await untilBlocked(db, waiting.length);
    return { waiting };
  });
  const statuses = (await Promise.all(answers.waiting)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 403]);
  expect(Object.values(await rolesNow()).filter((role) => role === 'owner')).toHaveLength(1);
  await db.updateTable('people').set({ operator_role: 'owner' }).where('id', '=', studio.operator.userId).execute();
});

test('404 operator_not_found: a customer, nobody', async () => {
  for (const id of [showId('user', studio.ada.userId), 'user_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x'])
    expect((await update({ held_limit: 3 }, id)).body.error.code).toBe('operator_not_found');
});

test.each([
  { held_limit: 0 },
  { held_limit: 101 },
  { held_limit: 1.5 },
  { service_families: [] },
  { skills: [] },
  { role: 'admin' },
])('422 invalid_request: %j', async (wrong) => {
  const { status, body } = await update(wrong);
  expect([status, body.error.code]).toEqual([422, 'invalid_request']);
});

test('422 unsupported_service: a family that the catalog does not have', async () => {
  const { status, body } = await update({ service_families: ['design', 'cooking'] });
  expect([status, body.error.code]).toEqual([422, 'unsupported_service']);
});
