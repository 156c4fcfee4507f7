import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  makeMoves,
  newCustomer,
  newJob,
  sharedStudio,
  post,
  readJob,
  type Studio,
  uuidOf,
} from '../../test/support/jobs.ts';

let studio: Studio;
/** Oldest first. */
let ids: string[];
const at = (minute: number) => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString();

beforeAll(async () => {
  studio = await sharedStudio();
  ids = [];
  const orders = [
    {},
    { service_type: 'landing_page' },
    { service_family: 'writing', service_type: 'blog_article' },
    {},
    {},
  ];
  for (const order of orders) ids.push(await newJob(studio.service, studio.key, order));
  await makeMoves(studio, ids[1]!, 'accept');
  await makeMoves(studio, ids[2]!, 'cancel');
  // The last two share a timestamp, so that only the id orders them.
  for (const [index, id] of ids.entries())
    await sql`update jobs set created_at = ${at(Math.min(index, 3))} where id = ${uuidOf('job', id)}`.execute(
      studio.service.context.db,
    );
});

const list = (query = '', as = studio.key) => studio.service.call('GET', `/api/v1/jobs${query}`, { as });
/** Indexes in `ids` of the listed jobs. */
const found = async (query: string) => {
  const { status, body } = await list(query);
  expect(status).toBe(200);
  return body.jobs.map(({ id }: { id: string }) => ids.indexOf(id));
};

test('200 lists newest first, each as the full job without instructions, brief and files', async () => {
  const { body } = await list();
  expect(body.jobs.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
  expect(body.next_cursor).toBeNull();
  for (const item of body.jobs) {
    const {
      customer_instructions: _,
      intent_brief: __,
      files: ___,
      revision_requests: ____,
      deliveries: _____,
      metadata: ______,
      due_date_changes: _______,
      ...rest
    } = (await readJob(studio.service, studio.key, item.id)).job;
    expect(item).toEqual(rest);
  }
});

test('200 to each of many at once: their own account, page and limit, though they share statements', async () => {
  const { key } = await newCustomer(studio.service);
  const cursors = await Promise.all([1, 2, 4].map(async (limit) => (await list(`?limit=${limit}`)).body.next_cursor));
  const asked = Array.from({ length: 40 }, (_, n) => n).flatMap((n) => [
    { limit: (n % 4) + 1, before: 0, as: studio.key },
    { limit: (n % 3) + 1, before: [1, 2, 4][n % 3]!, cursor: cursors[n % 3], as: studio.key },
    { limit: 2, before: ids.length, as: key },
  ]);
  const answers = await Promise.all(
    asked.map(({ limit, cursor, as }) => list(`?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`, as)),
  );
  for (const [n, { limit, before }] of asked.entries())
    expect(answers[n]!.body.jobs.map(({ id }: { id: string }) => id)).toEqual(
      ids.toReversed().slice(before, before + limit),
    );
});

test('200 with an empty list for an account without jobs', async () => {
  const { key } = await newCustomer(studio.service);
  expect((await list('', key)).body).toEqual({ jobs: [], next_cursor: null });
});

test.each([
  ['status=queued', [4, 3, 0]],
  ['status=queued,canceled', [4, 3, 2, 0]],
  ['status=queued&status=canceled', [4, 3, 2, 0]],
  ['status=accepted,canceled&status=queued&status=queued', [4, 3, 2, 1, 0]],
  ['status=completed', []],
  ['service_family=writing', [2]],
  ['source=api', [4, 3, 2, 1, 0]],
  ['source=dashboard', []],
  ['q=bakery&status=canceled', [2]],
  ['q=no+such+title', []],
  ['service_family=design&status=queued', [4, 3, 0]],
  ['service_family=design&status=canceled,%20queued', [4, 3, 0]],
  [`created_after=${at(1)}`, [4, 3, 2, 1]],
  [`created_before=${at(1)}`, [0]],
  [`created_after=${at(1)}&created_before=${at(3)}`, [2, 1]],
  [`created_after=${at(1)}&created_before=${at(1)}`, []],
  [`created_after=${at(1).replace('.000Z', '.001Z')}`, [4, 3, 2]],
  [`created_after=${at(1).replace('.000Z', 'Z')}&created_before=${at(1).replace('.000Z', '.500Z')}`, [1]],
])('200 with %s finds %j', async (query, places) => {
  expect(await found(`?${query}`)).toEqual(places);
});

describe('pages', () => {
  /** Every page, following the cursor. */
  async function pages(query: string): Promise<number[][]> {
    const all: number[][] = [];
    let cursor = '';
    do {
      const { body } = await list(`?${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      all.push(body.jobs.map(({ id }: { id: string }) => ids.indexOf(id)));
      cursor = body.next_cursor;
    } while (cursor);
    return all;
  }

  test('200 walks all jobs once, also where two share their moment', async () => {
    expect(await pages('limit=1')).toEqual([[4], [3], [2], [1], [0]]);
    expect(await pages('limit=2')).toEqual([[4, 3], [2, 1], [0]]);
    expect(await pages('limit=5')).toEqual([[4, 3, 2, 1, 0]]);
    expect(await pages('limit=100')).toEqual([[4, 3, 2, 1, 0]]);
    expect(await pages('limit=2&status=queued')).toEqual([[4, 3], [0]]);
  });

  test('200 continues after the last job seen when newer ones arrive', async () => {
    const { person, key } = await newCustomer(studio.service, 'agent');
    const mine = [await newJob(studio.service, key), await newJob(studio.service, key)];
    const { body } = await list('?limit=1', key);
    await newJob(studio.service, key);
    const next = (await list(`?limit=1&cursor=${body.next_cursor}`, person.token)).body;
    expect(next.jobs[0].id).toBe(mine[0]);
    expect(next.next_cursor).toBeNull();
  });

  test('200 returns 25 jobs a page by default', async () => {
    const { key } = await newCustomer(studio.service, 'studio', 'solo');
    for (let n = 0; n < 26; n++) await newJob(studio.service, key);
    const first = (await list('', key)).body;
    expect(first.jobs).toHaveLength(25);
    expect((await list(`?cursor=${first.next_cursor}`, key)).body).toMatchObject({ next_cursor: null, jobs: [{}] });
  });

  test('200 takes a cursor with another page size and another order of statuses', async () => {
    const { body } = await list('?limit=1&status=queued,canceled');
    expect(await found(`?limit=3&status=canceled&status=queued&cursor=${body.next_cursor}`)).toEqual([3, 2, 0]);
  });

  test('400 invalid_request: a cursor of another account, other filters or another list, or a modified one', async () => {
    const { next_cursor: cursor } = (await list('?limit=1')).body;
    const stranger = await newCustomer(studio.service);
    const queue = await studio.service.call('GET', '/api/operator/v1/jobs?limit=1', { as: studio.operator.token });
    const [position = '', mac = ''] = cursor.split('.');
    const flipped = Buffer.from(position, 'base64url')
      .toString()
      .replace(/\d/, (digit) => String((+digit + 1) % 10));
    const answers = [
      list(`?cursor=${cursor}`, stranger.key),
      list(`?cursor=${cursor}&status=queued`),
      list(`?cursor=${cursor}&service_family=design`),
      list(`?cursor=${cursor}&created_after=${at(0)}`),
      list(`?cursor=${queue.body.next_cursor}`),
      list(`?cursor=${Buffer.from(flipped).toString('base64url')}.${mac}`),
      ...[
        cursor.slice(0, -1),
        `${cursor}A`,
        `${cursor}=`,
        position,
        `.${mac}`,
        `${position}.`,
        '',
        'x'.repeat(1024),
      ].map((text) => list(`?cursor=${text}`)),
    ];
    for (const { status, body } of await Promise.all(answers))
      expect([status, body.error?.code, body.error?.details[0].location]).toEqual([400, 'invalid_request', 'cursor']);
  });
});

test.each([
  'status=',
  'status=queued,',
  'status=done',
  'status=Queued',
  'status=queued;drop',
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1e1',
  'service_family=',
  'service_family=nothing',
  'limit=0x10',
  'limit=%205',
  'limit=5&limit=6',
  'limit=',
  'service_family=design&service_family=design',
  'service_family=%00',
  `service_family=${'x'.repeat(101)}`,
  'created_after=yesterday',
  'created_after=2026-02-30T00:00:00Z',
  'created_after=2016-12-31T23:59:60Z',
  'created_after=0000-01-01T00:00:00Z',
  'created_after=%2B275760-09-13T00:00:00Z',
  'created_after=2026-01-01T00:00:00',
  'created_after=2026-01-01',
  `created_after=${at(1)}&created_after=${at(1)}`,
  `created_after=${at(2)}&created_before=${at(1)}`,
  'cursor=a&cursor=a',
  'sort=created_at',
  'account_id=acct_01jd3vsh8xe7rtx1zqbdnzc4v0',
  '__proto__=x',
  'constructor=x',
])('400 invalid_request: %s', async (query) => {
  const { status, body } = await list(`?${query}`);
  expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
});

test('200 with updated_after: what changed since then, the oldest change first, page by page', async () => {
  const { key } = await newCustomer(studio.service, 'studio');
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push(await newJob(studio.service, key));
  const changed = async (query: string) =>
    (await studio.service.call('GET', `/api/v1/jobs?${query}`, { as: key })).body;
  const of = ({ jobs }: { jobs: { id: string }[] }) => jobs.map(({ id }) => id);
  const all = await changed('updated_after=2026-01-01T00:00:00Z');
  expect(of(all)).toEqual(ids);
  await post(studio.service, key, `/api/v1/jobs/${ids[1]}/cancel`);
  const since = `updated_after=${encodeURIComponent(all.jobs[2].updated_at)}`;
  const first = await changed(`${since}&limit=2`);
  expect(of(first)).toEqual([ids[2], ids[3]]);
  expect(of(await changed(`${since}&limit=2&cursor=${first.next_cursor}`))).toEqual([ids[1]]);
  expect(of(await changed(`${since}&status=canceled`))).toEqual([ids[1]]);
  const { body } = await studio.service.call('GET', `/api/v1/jobs/counts?${since}`, { as: key });
  expect(body.counts).toMatchObject({ queued: 2, canceled: 1 });
});
