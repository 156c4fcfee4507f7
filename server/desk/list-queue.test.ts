import { afterAll, beforeAll, expect, test } from 'vitest';
import { showId } from '../lib/id.ts';
import { makeMoves, newCustomer, newJob, createStudio, readJob, type Studio } from '../../test/support/jobs.ts';

let studio: Studio;
/** Oldest first: three of Ada's, two of another account. */
let ids: string[];
let other: Awaited<ReturnType<typeof newCustomer>>;

beforeAll(async () => {
  studio = await createStudio();
  other = await newCustomer(studio.service, 'agent');
  const writing = { service_family: 'writing', service_type: 'blog_article' };
  ids = [
    await newJob(studio.service, studio.key),
    await newJob(studio.service, studio.key, writing),
    await newJob(studio.service, studio.key),
    await newJob(studio.service, other.key),
    await newJob(studio.service, other.key),
  ];
  await makeMoves(studio, ids[1]!, 'accept');
  await makeMoves(studio, ids[2]!, 'reject');
});
afterAll(() => studio.service.close());

const list = (query = '') => studio.service.call('GET', `/api/operator/v1/jobs${query}`, { as: studio.operator.token });
const found = async (query: string) => {
  const { status, body } = await list(query);
  expect(status).toBe(200);
  return body.jobs.map(({ id }: { id: string }) => ids.indexOf(id));
};

test('200 lists jobs of all accounts, oldest first, with account and holder', async () => {
  const { body } = await list();
  expect(body.jobs.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(body.next_cursor).toBeNull();
  const { links, ...job } = (await readJob(studio.service, studio.key, ids[1]!)).job;
  for (const field of ['customer_instructions', 'intent_brief', 'files', 'revision_requests']) delete job[field];
  expect(body.jobs[1]).toEqual({
    ...job,
    links,
    account_id: showId('acct', studio.ada.accountId),
    holder: {
      operator_id: showId('user', studio.operator.userId),
      worker_key_id: null,
      name: expect.any(String),
      since: job.status_changed_at,
      lease_expires_at: null,
    },
    parked: false,
  });
  expect(body.jobs[0].holder).toBeNull();
});

test.each([
  ['status=queued', [0, 3, 4]],
  ['status=accepted,rejected', [1, 2]],
  ['status=accepted&status=queued', [0, 1, 3, 4]],
  ['service_family=writing', [1]],
  ['service_family=design&status=queued', [0, 3, 4]],
  ['account_id=acct_01jd3vsh8xe7rtx1zqbdnzc4v0', []],
  ['account_id=nonsense', []],
])('200 with %s finds %j', async (query, places) => {
  expect(await found(`?${query}`)).toEqual(places);
});

test('200 with account_id: the jobs of that account', async () => {
  expect(await found(`?account_id=${showId('acct', other.person.accountId)}`)).toEqual([3, 4]);
});

test('200 walks all jobs once, page by page', async () => {
  const seen: number[] = [];
  let cursor = '';
  do {
    const { body } = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.jobs.map(({ id }: { id: string }) => ids.indexOf(id)));
    cursor = body.next_cursor;
  } while (cursor);
  expect(seen).toEqual([0, 1, 2, 3, 4]);
});

test('400 invalid_request: a cursor of other filters or of another list', async () => {
  const { next_cursor: cursor } = (await list('?limit=1')).body;
  const jobs = await studio.service.call('GET', '/api/v1/jobs?limit=1', { as: studio.key });
  for (const query of [`?cursor=${cursor}&status=queued`, `?cursor=${jobs.body.next_cursor}`, `?cursor=${cursor}x`]) {
    const { status, body } = await list(query);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  }
});

test.each(['status=done', 'status=', 'limit=0', 'limit=101', 'limit=1e1', 'account_id=a&account_id=b', 'sort=id'])(
  '400 invalid_request: %s',
  async (query) => {
    const { status, body } = await list(`?${query}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  },
);
