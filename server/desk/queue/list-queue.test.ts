import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readId, showId } from '../../lib/id.ts';
import { transact } from '../../db/pool.ts';
import { eraseAccount } from '../../closing/erase-account.ts';
import { indexJobs } from './index-jobs.ts';
import { newFile } from '../../../test/support/files.ts';
import {
  bodies,
  createStudio,
  makeMoves,
  newCustomer,
  newJob,
  post,
  readJob,
  type Studio,
  uuidOf,
} from '../../../test/support/jobs.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { claim, makeWorker } from '../../../test/support/workers.ts';

let studio: Studio;
/** Oldest first: three of Ada's, two of another account. */
let ids: string[];
let other: Awaited<ReturnType<typeof newCustomer>>;

// Of its own: it lists the jobs of all accounts.
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
  const unlisted = [
    'customer_instructions',
    'intent_brief',
    'files',
    'deliveries',
    'revision_requests',
    'due_date_changes',
    'metadata',
  ];
  for (const field of unlisted) delete job[field];
  expect(body.jobs[1]).toEqual({
    ...job,
    links,
    account: { id: showId('acct', studio.ada.accountId), name: 'Ada Lovelace', standing: null },
    holder: {
      operator_id: showId('user', studio.operator.userId),
      worker_key_id: null,
      name: expect.any(String),
      since: job.status_changed_at,
      lease_expires_at: null,
    },
    parked: false,
    set_aside: null,
    overdue: false,
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

test('200 with q: words or their beginnings, part of an account’s name or address, a file name, or the id', async () => {
  await studio.service.context.db
    .updateTable('jobs')
    .set({ customer_title: 'Winter menu, 100% rye' })
    .where('id', '=', uuidOf('job', ids[1]!))
    .execute();
  expect(await found('?q=WINTER%20menu')).toEqual([1]);
  expect(await found('?q=100%25')).toEqual([1]);
  expect(await found('?q=rye%20wint')).toEqual([1]);
  for (const none of ['%25', '_', '%5C', '%27', 'inter', 'nothing like it'])
    expect(await found(`?q=${none}`)).toEqual([]);
  expect(await found(`?q=${ids[3]}`)).toEqual([3]);
  expect(await found('?q=lovelace')).toEqual([0, 1, 2, 3, 4]);
  for (const address of [other.person.email, `Ada <${other.person.email}>`])
    expect(await found(`?q=${encodeURIComponent(address)}`)).toEqual([3, 4]);
  const file = await newFile(studio.service, studio.key, Buffer.from('menu'), {
    file_name: 'speisekarte_v2-final.txt',
  });
  await studio.service.context.db
    .updateTable('files')
    .set({ job_id: uuidOf('job', ids[2]!) })
    .where('id', '=', readId('file', file.id))
    .execute();
  expect(await found('?q=Speisekarte%20final')).toEqual([2]);
});

test('200 with id: only these jobs, where they match the other filters', async () => {
  expect(await found(`?id=${ids[3]},${ids[1]}`)).toEqual([1, 3]);
  expect(await found(`?id=${ids[3]},${ids[1]}&status=queued`)).toEqual([3]);
  expect(await found('?id=job_01jd3vsh8xe7rtx1zqbdnzc4v0')).toEqual([]);
  expect(await found('?id=nonsense')).toEqual([]);
  expect((await list(`?id=${Array(101).fill(ids[0]).join(',')}`)).body.error.code).toBe('invalid_request');
});

test('200 with holder: me, none, an operator, a worker, and an unknown one', async () => {
  const worker = await makeWorker(studio, ['data']);
  const id = await newJob(studio.service, studio.key, { service_family: 'data', service_type: 'data_cleaning' });
  const { body } = await claim(studio, worker);
  expect(body.job.id).toBe(id);
  const me = showId('user', studio.operator.userId);
  const of = async (holder: string) => (await list(`?holder=${holder}`)).body.jobs.map((job: { id: string }) => job.id);
  expect(await of('me')).toEqual([ids[1]]);
  expect(await of(me)).toEqual([ids[1]]);
  expect(await of(body.job.holder.worker_key_id)).toEqual([id]);
  expect(await of('worker')).toEqual([id]);
  expect(await of('none')).toEqual([ids[0], ids[2], ids[3], ids[4]]);
  expect(await of('user_01jd3vsh8xe7rtx1zqbdnzc4v0')).toEqual([]);
  const other = await makeOperator(studio.service);
  const theirs = await studio.service.call('GET', '/api/operator/v1/jobs?holder=me', { as: other.token });
  expect(theirs.body.jobs).toEqual([]);
  await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${id}/reject`, bodies.reject);
  ids.push(id);
});

test('200 with parked and overdue, as the clock of the database has it', async () => {
  const { db } = studio.service.context;
  const set = (place: number, changes: object) =>
    db.updateTable('jobs').set(changes).where('id', '=', uuidOf('job', ids[place]!)).execute();
  await set(0, { lease_expiries: 5 });
  await set(3, { due_at: sql`now() - interval '1 minute'` });
  await set(2, { due_at: sql`now() - interval '1 minute'` }); // rejected, so nothing is late any more
  expect(await found('?parked=true')).toEqual([0]);
  expect(await found('?parked=false')).toEqual([1, 2, 3, 4, 5]);
  expect(await found('?overdue=true')).toEqual([3]);
  expect(await found('?overdue=false&status=queued')).toEqual([0, 4]);
  const { body } = await list('?overdue=true');
  expect(body.jobs[0]).toMatchObject({ overdue: true, parked: false });
});

test('200 with sort: newest first, or by when the first delivery is due, page by page', async () => {
  await studio.service.context.db
    .updateTable('jobs')
    .set({ due_at: sql`now() + interval '1 minute'` })
    .where('id', '=', uuidOf('job', ids[4]!))
    .execute();
  expect(await found('?sort=newest')).toEqual([5, 4, 3, 2, 1, 0]);
  expect(await found('?sort=due&status=queued')).toEqual([3, 4, 0]);
  const first = (await list('?sort=due&status=queued&limit=2')).body;
  const rest = (await list(`?sort=due&status=queued&limit=2&cursor=${first.next_cursor}`)).body;
  expect(rest.jobs.map(({ id }: { id: string }) => ids.indexOf(id))).toEqual([0]);
  const wrong = await list(`?sort=oldest&status=queued&cursor=${first.next_cursor}`);
  expect([wrong.status, wrong.body.error.code]).toEqual([400, 'invalid_request']);
});

test('200 walks all jobs once, page by page', async () => {
  const seen: number[] = [];
  let cursor = '';
  do {
    const { body } = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.jobs.map(({ id }: { id: string }) => ids.indexOf(id)));
    cursor = body.next_cursor;
  } while (cursor);
  expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
});

test('400 invalid_request: a cursor of other filters or of another list', async () => {
  const { next_cursor: cursor } = (await list('?limit=1')).body;
  const jobs = await studio.service.call('GET', '/api/v1/jobs?limit=1', { as: studio.key });
  for (const query of [`?cursor=${cursor}&status=queued`, `?cursor=${jobs.body.next_cursor}`, `?cursor=${cursor}x`]) {
    const { status, body } = await list(query);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  }
});

test.each([
  'status=done',
  'status=',
  'limit=0',
  'limit=101',
  'limit=1e1',
  'account_id=a&account_id=b',
  'sort=id',
  'parked=1',
  'overdue=',
  'q=',
])('400 invalid_request: %s', async (query) => {
  const { status, body } = await list(`?${query}`);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});

test.each(['oldest', 'newest', 'due'])(
  '200 with sort=%s: jobs of the same instant are in the order of their ids, page by page',
  async (sort) => {
    const { person, key } = await newCustomer(studio.service, 'agent');
    const made = [];
    for (let n = 0; n < 6; n++) made.push(await newJob(studio.service, key));
    const [a, b, c, d, e, f] = made as [string, string, string, string, string, string];
    const instant = new Date('2026-03-01T12:00:00Z');
    // An update moves a row to the end of its table, so the rows lie in this order.
    for (const id of [d, a, f, c, e, b])
      await studio.service.context.db
        .updateTable('jobs')
        .set({ created_at: instant, due_at: instant })
        .where('id', '=', uuidOf('job', id))
        .execute();
    const listed: string[] = [];
    let cursor = '';
    do {
      const account = showId('acct', person.accountId);
      const { body } = await list(`?sort=${sort}&account_id=${account}&limit=2${cursor}`);
      listed.push(...body.jobs.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '' && listed.length < 12);
    expect(listed).toEqual(sort === 'newest' ? made.toReversed() : made);
  },
);

test('200 with q finds the same once the words are stored, a newer job, and nothing of a closed account', async () => {
  const { db } = studio.service.context;
  const unusual = { customer_instructions: 'Brand name: Zeppelin' };
  const { person, key } = await newCustomer(studio.service, 'agent');
  const before = await newJob(studio.service, key, unusual);
  await indexJobs(db, new AbortController().signal);
  const after = await newJob(studio.service, key, unusual);
  const search = async () => (await list('?q=zepp')).body.jobs.map(({ id }: { id: string }) => id);
  expect(await search()).toEqual([before, after]);
  await indexJobs(db, new AbortController().signal);
  expect(await search()).toEqual([before, after]);
  await transact(db, (trx) => eraseAccount(trx, person.accountId));
  expect(await search()).toEqual([]);
});
