import { sql } from 'kysely';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogWith } from '../../../test/support/catalog.ts';
import { createStudio, makeMoves, newJob, type Studio, uuidOf } from '../../../test/support/jobs.ts';

let studio: Studio;
let folder: string;
let ids: string[];

// Of its own: its days are those of a studio in Auckland.
beforeAll(async () => {
  folder = catalogWith([], { 'studio.yaml': 'time_zone: Pacific/Auckland\nhours: { mon: ["09:00-17:00"] }\n' });
  studio = await createStudio({ CATALOG_DIR: folder });
  ids = [];
  // 1 November in Auckland is from 31 October 11:00 UTC.
  for (const at of ['2026-10-31T10:59:59Z', '2026-10-31T11:00Z', '2026-11-30T10:59:59Z', '2026-11-30T11:00Z']) {
    const id = await newJob(studio.service, studio.key);
    if (ids.length < 3) await makeMoves(studio, id, 'reject');
    await sql`
      update jobs set created_at = ${at}::timestamptz - interval '1 hour', status_changed_at = ${at}
      where id = ${uuidOf('job', id)}`.execute(studio.service.context.db);
    ids.push(id);
  }
});
afterAll(async () => {
  await studio.service.close();
  rmSync(folder, { recursive: true });
});

const read = (path: string) =>
  studio.service.call('GET', `/api/operator/v1/jobs${path}`, { as: studio.operator.token });

describe.each([
  ['created_from=2026-11-01&created_to=2026-11-30', [2, 3]],
  ['created_from=2026-11-01', [2, 3]],
  ['created_to=2026-10-31', [0, 1]],
  ['ended_from=2026-11-01&ended_to=2026-11-30', [1, 2]],
  ['ended_to=2026-10-31', [0]],
  ['ended_from=2026-11-30', [2]],
  ['created_from=2026-11-01&status=queued', [3]],
  ['created_from=2026-11-02&created_to=2026-11-01', []],
])('200 with %s', (query, places) => {
  test('the list and its total go by whole days of the studio', async () => {
    const { body } = await read(`?${query}`);
    expect(body.jobs.map(({ id }: { id: string }) => ids.indexOf(id))).toEqual(places);
    expect((await read(`/total?${query}`)).body).toEqual({ total: places.length });
  });
});

test('200 counts the jobs of all accounts, and with other filters of the list', async () => {
  expect((await read('/total')).body.total).toBe(4);
  expect((await read('/total?status=rejected&holder=none')).body.total).toBe(3);
  expect((await read('/total?account_id=acct_01jd3vsh8xe7rtx1zqbdnzc4v0')).body.total).toBe(0);
});

test.each(['created_from=2026-02-30', 'ended_to=2026-13-01', 'created_to=0000-01-01', 'created_from=yesterday'])(
  '400 invalid_request: %s is no day of the calendar',
  async (query) => {
    for (const path of ['', '/total']) {
      const { status, body } = await read(`${path}?${query}`);
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    }
  },
);

test('400 invalid_request: an unknown family', async () => {
  expect((await read('/total?service_family=none')).status).toBe(400);
});
