import { beforeAll, expect, test } from 'vitest';
import { said } from '../../../test/support/every-endpoint.ts';
import {
  createJob,
  sharedStudio,
  draft,
  makeMoves,
  newCustomer,
  newJobIn,
  post,
  readJob,
  type Studio,
} from '../../../test/support/jobs.ts';
import { signIn } from '../../../test/support/people.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const reason = 'The card was charged back twice.';
const suspend = (accountId: string, body: unknown = { reason }) =>
  post(studio.service, studio.operator.token, `/api/operator/v1/accounts/${showId('acct', accountId)}/suspend`, body);
const reopen = (accountId: string) =>
  post(studio.service, studio.operator.token, `/api/operator/v1/accounts/${showId('acct', accountId)}/reopen`);
const get = (path: string, as: string) => studio.service.call('GET', path, { as });

async function newStudioCustomer() {
  const { person, key } = await newCustomer(studio.service, 'studio');
  return { person, key, own: { ...studio, ada: person, key } };
}

test('200: sessions and keys stop changing things at once, read as before, and are told; reopening undoes it', async () => {
  const { person, key } = await newStudioCustomer();
  const { status, body } = await suspend(person.accountId);
  expect([status, body.account.suspension]).toEqual([
    200,
    {
      since: expect.any(String),
      reason,
      created_by: { kind: 'user', id: showId('user', studio.operator.userId), name: 'Operator' },
    },
  ]);
  for (const as of [person.token, key]) {
    expect(said(await createJob(studio.service, as))).toBe('403 account_suspended');
    const me = await get('/api/v1/me', as);
    expect([me.status, me.body.account.suspended_since]).toEqual([200, body.account.suspension.since]);
  }
  const session = await get('/api/auth/session', person.token);
  expect(session.body.account.suspended_since).toBe(body.account.suspension.since);
  expect((await signIn(studio.service, person.email)).token).toBeTruthy();

  const reopened = await reopen(person.accountId);
  expect([reopened.status, reopened.body.account.suspension]).toEqual([200, null]);
  expect(said(await createJob(studio.service, key))).toBe('201');
  expect((await get('/api/v1/me', key)).body.account.suspended_since).toBeNull();
});

test('200: preflight blocks, an allowed action is only to approve, and jobs in progress go on to the end', async () => {
  const { person, key, own } = await newStudioCustomer();
  const running = await newJobIn(own, 'running');
  const delivered = await newJobIn(own, 'ready_for_customer_review');
  await suspend(person.accountId);

  const preflight = await post(studio.service, key, '/api/v1/jobs/preflight', draft);
  expect(preflight.body.preflight.ready_to_create).toBe(false);
  expect(preflight.body.preflight.blocking_reasons[0].code).toBe('account_suspended');
  const read = await readJob(studio.service, key, delivered);
  expect([read.job.allowed_actions, read.next_action]).toEqual([['approve'], expect.stringContaining('suspended')]);
  expect((await readJob(studio.service, key, running)).job.allowed_actions).toEqual([]);
  const { body: list } = await get('/api/v1/jobs', key);
  expect(list.jobs.flatMap((job: { allowed_actions: string[] }) => job.allowed_actions)).toEqual(['approve']);

  const passed = await makeMoves(own, running, 'submit', 'pass', 'approve');
  expect(passed.status).toBe('completed');
});

test('200: the account’s log says that it was suspended and reopened, only the studio’s audit log says why', async () => {
  const { person, key } = await newStudioCustomer();
  await suspend(person.accountId);
  await suspend(person.accountId, { reason: 'Another reason.' });
  await reopen(person.accountId);
  await reopen(person.accountId);
  const { body } = await get('/api/v1/events?types=account.suspended,account.reopened', key);
  expect(body.events.map(({ type, actor, job }: Record<string, unknown>) => [type, actor, job])).toEqual([
    ['account.suspended', 'operator', null],
    ['account.reopened', 'operator', null],
  ]);
  const account = showId('acct', person.accountId);
  const { body: audit } = await get(
    `/api/operator/v1/audit?account_id=${account}&action=suspension.started`,
    studio.operator.token,
  );
  expect(audit.audit_entries).toMatchObject([{ subject: account, details: { reason } }]);
  const own = await get('/api/v1/audit', person.token);
  expect(JSON.stringify(own.body)).toContain('account.suspended');
  expect(JSON.stringify(own.body)).not.toContain(reason);
});

test('200: accounts are listed with their suspension', async () => {
  const { person } = await newStudioCustomer();
  await suspend(person.accountId);
  const path = `/api/operator/v1/accounts?q=${showId('acct', person.accountId)}`;
  const { body } = await get(path, studio.operator.token);
  expect(body.accounts[0].suspension.reason).toBe(reason);
});

test('404 account_not_found: an id that names nothing', async () => {
  const { service, operator } = studio;
  for (const id of ['acct_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x', showId('user', operator.userId)]) {
    const path = `/api/operator/v1/accounts/${id}`;
    expect(said(await post(service, operator.token, `${path}/suspend`, { reason }))).toBe('404 account_not_found');
  }
});

test.each([{}, { reason: '' }, { reason: ' ' }, { reason: 'x'.repeat(1001) }, { reason, why: 'x' }])(
  '422 invalid_request: %j',
  async (body) => {
    expect(said(await suspend(studio.ada.accountId, body))).toBe('422 invalid_request');
  },
);
