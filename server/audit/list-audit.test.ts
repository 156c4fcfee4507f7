import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { showId } from '../lib/id.ts';
import { bodies, createStudio, makeMoves, newCustomer, newJob, post, type Studio } from '../../test/support/jobs.ts';
import { addMaker, decline, newOrder } from '../../test/support/orders.ts';
import { adjust } from '../../test/support/quota.ts';
import { claim, makeWorker } from '../../test/support/workers.ts';

type Entry = {
  id: string;
  action: string;
  actor: string;
  created_by: object | null;
  subject: string;
  created_at: string;
};

let studio: Studio;
let job: string;
let other: Awaited<ReturnType<typeof newCustomer>>;
// Of its own: it lists what all workers did.
beforeAll(async () => {
  studio = await createStudio();
  other = await newCustomer(studio.service, 'agent');
  job = await newJob(studio.service, studio.key);
  await makeMoves(studio, job, 'accept', 'start', 'submit', 'return');
  await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${job}/hold`, {});
});
afterAll(() => studio.service.close());

const read = (query = '', headers: Record<string, string> = {}) =>
  studio.service.call('GET', `/api/operator/v1/audit${query}`, { as: studio.operator.token, headers });
const entries = async (query: string): Promise<Entry[]> => {
  const { status, body } = await read(`${query}${query.includes('limit') ? '' : '&limit=100'}`);
  expect(status).toBe(200);
  return body.audit_entries;
};
const me = () => ({ kind: 'user', id: showId('user', studio.operator.userId), name: 'Operator' });

test('200 shows events and audit entries of a job, newest first, with caller and credential', async () => {
  const matching = await entries(`?subject=${job}`);
  expect(matching.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
    'job.held operator',
    'job.returned operator',
    'job.submitted operator',
    'job.started operator',
    'job.accepted operator',
    'job.created customer',
  ]);
  expect(matching[0]).toEqual({
    id: expect.stringMatching(/^aud_/),
    action: 'job.held',
    actor: 'operator',
    created_by: me(),
    account_id: showId('acct', studio.ada.accountId),
    account_name: 'Ada Lovelace',
    subject: job,
    subject_name: expect.any(String),
    details: { holder: me().id, before: me().id },
    request_id: expect.any(String),
    address: expect.stringMatching(/^[\w-]{43}$/),
    created_at: expect.any(String),
  });
  expect(matching.at(-1)).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    created_by: { kind: 'api_key', name: 'test key' },
  });
});

test('200 with subject: a key, a deleted webhook endpoint, and what does not exist', async () => {
  const { service, ada } = studio;
  const { body } = await service.call('POST', '/api/v1/webhook-endpoints', {
    as: ada.token,
    body: { url: 'https://example.com/hook' },
  });
  const hook = body.webhook_endpoint.id;
  await service.call('DELETE', `/api/v1/webhook-endpoints/${hook}`, { as: ada.token });
  expect((await entries(`?subject=${hook}`)).map(({ action }) => action)).toEqual([
    'webhook_endpoint.deleted',
    'webhook_endpoint.created',
  ]);
  const created = (await entries('?action=api_key.created')).find(({ actor }) => actor === 'customer');
  expect(await entries(`?subject=${created?.subject}`)).toEqual([created]);
  for (const kind of ['job', 'key', 'file', 'hook', 'user'])
    expect(await entries(`?subject=${kind}_01jd3vsh8xe7rtx1zqbdnzc4v0`)).toEqual([]);
});

test('200 shows that an order was declined, without what its maker was told', async () => {
  const { service, ada } = studio;
  const order = await newOrder(service, await addMaker(service, ada));
  expect((await decline(service, ada.token, order, 'Ask Ada first.')).status).toBe(200);
  const [declined, ...more] = await entries('?action=order.declined');
  expect([declined, more]).toMatchObject([{ subject: null, details: { order_id: order } }, []]);
  expect(JSON.stringify(declined)).not.toContain('Ada first');
});

test('200 shows the actions of workers, the provider and the service', async () => {
  const worker = await makeWorker(studio);
  const mine = await newJob(studio.service, other.key);
  const { body } = await claim(studio, worker);
  expect(body.job.id).toBe(mine);
  const byWorker = await entries('?actor=worker');
  expect(byWorker.map(({ action, subject }) => [action, subject])).toEqual([
    ['job.accepted', mine],
    ['job.claimed', mine],
  ]);
  expect(byWorker[0]?.created_by).toEqual({ kind: 'worker_key', id: body.job.holder.worker_key_id, name: 'robot' });
  const paid = await entries(`?actor=provider&account_id=${showId('acct', other.person.accountId)}`);
  const byProvider = { action: 'provider_event.processed', created_by: null, address: expect.any(String) };
  expect(paid).toMatchObject([byProvider, byProvider]);
  await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${body.job.id}/reject`, bodies.reject);
});

describe('200 with filters', () => {
  test('account, action, who, request and time', async () => {
    const account = showId('acct', studio.ada.accountId);
    const all = await entries(`?account_id=${account}`);
    expect(all.length).toBeGreaterThan(7);
    expect(await entries(`?account_id=${account}&action=job.held,job.started`)).toEqual(
      all.filter(({ action }) => action === 'job.held' || action === 'job.started'),
    );
    expect((await entries(`?created_by=${me().id}&subject=${job}`)).length).toBe(5);
    const [hold] = await entries('?action=job.held');
    const request = (await read('?action=job.held')).body.audit_entries[0].request_id;
    expect(await entries(`?request_id=${request}`)).toEqual([hold]);
    expect(await entries(`?subject=${job}&created_before=${hold!.created_at}`)).toHaveLength(5);
    expect(await entries(`?subject=${job}&created_after=${hold!.created_at}`)).toEqual([hold]);
    for (const none of [
      'subject=job_01jd3vsh8xe7rtx1zqbdnzc4v0',
      'account_id=nonsense',
      'created_by=user_01jd3vsh8xe7rtx1zqbdnzc4v0',
    ])
      expect(await entries(`?${none}`)).toEqual([]);
  });

  test('old entries are found, and pages return every entry once', async () => {
    await sql`insert into audit_log (id, action, actor, subject, request_id, created_at)
      select gen_random_uuid(), 'prices.verified', 'service', 'old', 'req_old', now() - make_interval(days => n * 100)
      from generate_series(1, 7) n`.execute(studio.service.context.db);
    const seen: Entry[] = [];
    let cursor = '';
    do {
      const { body } = await read(`?subject=old&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.audit_entries);
      cursor = body.next_cursor;
    } while (cursor);
    expect(seen).toHaveLength(7);
    expect(seen.map(({ created_at: at }) => at)).toEqual(
      seen
        .map(({ created_at: at }) => at)
        .toSorted()
        .toReversed(),
    );
    expect(seen).toEqual(await entries('?subject=old'));
  });
});

test('200 as lines: everything that matches, one object a line, whatever the limit says', async () => {
  const { status, headers, body } = await read(`?subject=${job}&limit=2`, { accept: 'application/x-ndjson' });
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'application/x-ndjson',
    'no-store',
  ]);
  const lines = String(body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual(await entries(`?subject=${job}`));
  const none = await read('?subject=nothing', { accept: 'application/x-ndjson' });
  expect([none.status, none.body]).toEqual([200, undefined]);
});

test('entries are never changed or deleted by the role of the service', async () => {
  const { db } = studio.service.context;
  for (const statement of ["update audit_log set subject = 'x'", 'delete from audit_log', 'truncate audit_log'])
    await expect(sql.raw(statement).execute(db)).rejects.toThrow('permission denied');
});

test('a refused request leaves no entry', async () => {
  const before = await entries('?');
  await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${job}/notes`, { body: '' });
  await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${job}/hold`, { operator_id: 'x' });
  expect(await entries('?')).toEqual(before);
});

test.each(['action=nothing', 'limit=0', 'created_after=x', 'actor=nobody', 'cursor=x', 'subject='])(
  '400 invalid_request: %s',
  async (query) => {
    const { status, body } = await read(`?${query}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  },
);

test('200: a suspension is one entry with its account and reason, an adjustment says how many and why', async () => {
  const { service, operator } = studio;
  const account = showId('acct', other.person.accountId);
  await post(service, operator.token, `/api/operator/v1/accounts/${account}/suspend`, { reason: 'Card stolen' });
  await post(service, operator.token, `/api/operator/v1/accounts/${account}/reopen`);
  expect((await adjust(studio, other.person, 3)).status).toBe(201);
  const done = (await entries(`?account_id=${account}&actor=operator`)).slice(0, 3);
  expect(done).toMatchObject([
    { action: 'quota.adjusted', subject: 'agent', details: { quantity: 3, reason: 'The second logo was late.' } },
    { action: 'suspension.ended', subject: account },
    { action: 'suspension.started', subject: account, details: { reason: 'Card stolen' } },
  ]);
  for (const entry of done) expect(entry).toMatchObject({ account_id: account, account_name: 'Ada Lovelace' });
  expect(await entries(`?account_id=${account}&action=account.suspended`)).toHaveLength(1);
});

test('200 with provider_noise=false: without ignored events of types that the service does not use', async () => {
  const { db } = studio.service.context;
  for (const reason of ['unsupported type', 'wrong amount'])
    await sql`
      insert into audit_log (id, action, actor, subject, details, request_id)
      values (uuidv7(), 'provider_event.ignored', 'provider', 'evt_x', ${JSON.stringify({ type: 'x', reason })}, 'req_x')`.execute(
      db,
    );
  expect(await entries('?request_id=req_x')).toHaveLength(2);
  expect(await entries('?request_id=req_x&provider_noise=false')).toMatchObject([
    { details: { reason: 'wrong amount' } },
  ]);
});
