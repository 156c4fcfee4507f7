import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { showId } from '../lib/id.ts';
import { createStudio, type Studio } from '../../test/support/jobs.ts';
import { untilBlocked } from '../../test/support/locks.ts';
import { makeOperator } from '../../test/support/people.ts';

let studio: Studio;
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
    await sql`select from auth.user where operator for share`.execute(trx);
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

test('404 operator_not_found: a customer, nobody', async () => {
  for (const id of [showId('user', studio.ada.userId), 'user_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x'])
    expect((await update({ held_limit: 3 }, id)).body.error.code).toBe('operator_not_found');
});

test.each([{ held_limit: 0 }, { held_limit: 101 }, { held_limit: 1.5 }, { service_families: [] }, { skills: [] }])(
  '422 invalid_request: %j',
  async (wrong) => {
    const { status, body } = await update(wrong);
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  },
);

test('422 unsupported_service: a family that the catalog does not have', async () => {
  const { status, body } = await update({ service_families: ['design', 'cooking'] });
  expect([status, body.error.code]).toEqual([422, 'unsupported_service']);
});
