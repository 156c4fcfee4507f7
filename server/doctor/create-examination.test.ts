import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio, post, type Studio } from '../../test/support/jobs.ts';
import { scheduledTasks } from '../scheduled-tasks.ts';

let studio: Studio;
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const ask = (key?: string) =>
  post(studio.service, studio.operator.token, '/api/operator/v1/examinations', undefined, key);
const health = async () =>
  (await studio.service.call('GET', '/api/operator/v1/health', { as: studio.operator.token })).body.health;

test('201: the service examines itself, and one that is under way is answered instead of a second', async () => {
  const [first, second] = await Promise.all([ask(), ask()]);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  expect(await health()).toMatchObject({ examining: true, examined_at: null });
  await scheduledTasks['examineWhenDue']!.run(studio.service.context, new AbortController().signal);
  const after = await health();
  expect(after.examining).toBe(false);
  expect(after.findings.length).toBeGreaterThan(20);
  const { rows } = await sql`select from examinations`.execute(studio.service.context.db);
  expect(rows).toHaveLength(1);
  const third = await ask('again');
  expect(third.body.examination.requested_at > first.body.examination.requested_at).toBe(true);
});

test('201 with the first answer for a repeated Idempotency-Key', async () => {
  const [first, repeat] = [await ask('once'), await ask('once')];
  expect([repeat.status, repeat.headers.get('idempotent-replayed'), repeat.body]).toEqual([201, 'true', first.body]);
});

test('one that a dead process left can be asked for again', async () => {
  const { db } = studio.service.context;
  await sql`update examinations set requested_at = now() - interval '11 minutes', started_at = null
    where ended_at is null`.execute(db);
  expect((await health()).examining).toBe(false);
  const { body } = await ask();
  expect(Date.now() - Date.parse(body.examination.requested_at)).toBeLessThan(60_000);
  expect((await health()).examining).toBe(true);
});

test('422 invalid_request: a body', async () => {
  const path = '/api/operator/v1/examinations';
  const { status, body } = await post(studio.service, studio.operator.token, path, { now: true });
  expect([status, body.error.code]).toEqual([422, 'invalid_request']);
});
