import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';
import { saveView } from '../../test/support/saved-views.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const save = (body?: object, key?: string) => saveView(studio.service, studio.operator.token, body, key);

test('201 with the filter as it was sent, which the list of jobs takes', async () => {
  const filter = {
    status: ['completed', 'rejected'],
    service_family: 'design',
    account_id: showId('acct', studio.ada.accountId),
    holder: 'none',
    parked: false,
    overdue: false,
    standing: 'suspended',
    created_from: '2026-01-01',
    created_to: '2026-12-31',
    ended_from: '2026-11-01',
    ended_to: '2026-11-30',
    q: 'harbour 200',
    sort: 'newest',
  };
  const { status, body } = await save({ name: ' Friday 🥐 list\n', shared: true, filter });
  expect(status).toBe(201);
  expect(body.saved_view).toEqual({
    id: expect.stringMatching(/^view_[0-9a-z]{26}$/),
    name: 'Friday 🥐 list',
    shared: true,
    filter,
    created_by: { kind: 'user', id: showId('user', studio.operator.userId), name: 'Operator' },
    created_at: expect.any(String),
    updated_at: body.saved_view.created_at,
  });
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
  const list = await studio.service.call('GET', `/api/operator/v1/jobs?${query}`, { as: studio.operator.token });
  expect(list.status).toBe(200);
});

test('201 again with the same Idempotency-Key: saved once', async () => {
  const first = await save({}, 'view-once');
  const second = await save({}, 'view-once');
  expect([second.status, second.headers.get('idempotent-replayed'), second.body]).toEqual([201, 'true', first.body]);
});

describe('422 invalid_request', () => {
  test.each([
    ['a blank name', { name: ' ' }, '/name'],
    ['a name of 61', { name: 'x'.repeat(61) }, '/name'],
    ['a filter that the list does not have', { filter: { colour: 'red' } }, '/filter/colour'],
    ['a page', { filter: { limit: 5 } }, '/filter/limit'],
    ['an unknown status', { filter: { status: ['done'] } }, '/filter/status/0'],
    ['an unknown service', { filter: { service_family: 'none' } }, '/filter/service_family'],
    ['no day of the calendar', { filter: { ended_to: '2026-02-30' } }, '/filter/ended_to'],
  ])('%s', async (_, sent, location) => {
    const { status, body } = await save(sent);
    expect([status, body.error.code, body.error.details[0].location]).toEqual([422, 'invalid_request', location]);
  });
});

test('403 limit_reached: 50 of an operator, also at the same time; a colleague has their own', async () => {
  const { token, userId } = await makeOperator(studio.service, 'maker');
  await sql`
    insert into saved_views (id, name, shared, filter, created_by)
    select uuidv7(), 'Filled', false, '{}', ${userId} from generate_series(1, 48)`.execute(studio.service.context.db);
  const last = await Promise.all([1, 2, 3, 4].map(() => saveView(studio.service, token)));
  expect(last.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403]);
  expect(last.find(({ status }) => status === 403)?.body.error.code).toBe('limit_reached');
  expect((await save()).status).toBe(201);
});
