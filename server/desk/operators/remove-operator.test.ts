import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, post, readJob, type Studio } from '../../../test/support/jobs.ts';
import { followEvents } from '../../../test/support/event-stream.ts';
import { untilBlocked } from '../../../test/support/locks.ts';
import { inviteOperator } from '../../../test/support/operators.ts';
import { makeOperator, signIn } from '../../../test/support/people.ts';
import { leasedJob } from '../../../test/support/workers.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const remove = (userId: string, as = studio.operator.token) =>
  studio.service.call('DELETE', `/api/operator/v1/operators/${showId('user', userId)}`, { as });
const readInvitation = (token: string) =>
  studio.service.call('POST', '/api/auth/operator-invitations/read', { body: { token } });

test('200: sessions, worker keys and invitations end, held jobs go back, and the answer counts them', async () => {
  const { service } = studio;
  const leaving = await makeOperator(service);
  const job = await leasedJob(studio, leaving.token);
  const worker = await post(service, leaving.token, '/api/operator/v1/worker-keys', { name: 'press' });
  const invited = await inviteOperator(service, leaving);
  const stream = await followEvents(service, leaving.token, { path: '/api/operator/v1/queue/stream' });
  const { status, body } = await remove(leaving.userId);
  expect([status, body]).toEqual([
    200,
    {
      operator: expect.objectContaining({ email: leaving.email, role: 'owner', held_jobs: 1 }),
      worker_keys: 1,
      jobs: 1,
      operator_invitations: 1,
    },
  ]);
  expect((await service.call('GET', '/api/auth/session', { as: leaving.token })).status).toBe(401);
  const entries = [];
  for (let entry = await stream.next(); entry; entry = await stream.next()) entries.push(entry.event);
  expect(entries.at(-1), 'their open page is told').toBe('bye');
  expect((await readJob(service, studio.key, job.id)).job.status).toBe('queued');
  expect((await post(service, worker.body.plaintext_key, '/api/operator/v1/jobs/claim', {})).status).toBe(401);
  expect((await readInvitation(invited.token)).status).toBe(404);
  const again = await signIn(service, leaving.email);
  expect((await service.call('GET', '/api/operator/v1/accounts', { as: again.token })).status).toBe(403);
  const subject = showId('user', leaving.userId);
  const audit = await service.call('GET', `/api/operator/v1/audit?subject=${subject}`, { as: studio.operator.token });
  expect(audit.body.audit_entries).toContainEqual(
    expect.objectContaining({
      action: 'operator.removed',
      created_by: expect.objectContaining({ id: showId('user', studio.operator.userId) }),
    }),
  );
});

test('200: an owner removes themselves while another one stays', async () => {
  const leaving = await makeOperator(studio.service);
  expect((await remove(leaving.userId, leaving.token)).status).toBe(200);
});

test('403 role_required: a lead, and an owner who was demoted during the request', async () => {
  const lead = await makeOperator(studio.service, 'lead');
  expect((await remove(studio.operator.userId, lead.token)).body.error.code).toBe('role_required');
  const owner = await makeOperator(studio.service);
  const { db } = studio.service.context;
  const change = await db.startTransaction().execute();
  await change.updateTable('people').set({ operator_role: 'maker' }).where('id', '=', owner.userId).execute();
  const late = remove(lead.userId, owner.token);
  await untilBlocked(db);
  await change.commit().execute();
  expect((await late).body.error.code).toBe('role_required');
});

test('404 operator_not_found: a customer, nobody, an operator who was removed', async () => {
  const { userId } = await makeOperator(studio.service, 'maker');
  await remove(userId);
  for (const id of [studio.ada.userId, userId, studio.ada.accountId])
    expect((await remove(id)).body.error.code).toBe('operator_not_found');
});

test('409 last_owner: alone, and of two who remove each other at the same time one stays', async () => {
  const { db } = studio.service.context;
  await db
    .updateTable('people')
    .set({ operator_role: 'lead' })
    .where('operator', '=', true)
    .where('id', '!=', studio.operator.userId)
    .execute();
  const refused = await remove(studio.operator.userId);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'last_owner']);
  const second = await makeOperator(studio.service);
  const answers = await db.transaction().execute(async (trx) => {
    await sql`select from people where operator for share`.execute(trx);
    const waiting = [remove(second.userId), remove(studio.operator.userId, second.token)];
    await untilBlocked(db, waiting.length);
    return { waiting };
  });
  const statuses = (await Promise.all(answers.waiting)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 401]);
});
