import { afterAll, beforeAll, expect, test } from 'vitest';
import { showId } from '../../lib/id.ts';
import { grant } from '../../../test/support/plans.ts';
import { newCustomer, newJob, createStudio, post, setPlan, type Studio } from '../../../test/support/jobs.ts';

let studio: Studio;
// Of its own: it lists all accounts.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const list = (query = '') =>
  studio.service.call('GET', `/api/operator/v1/accounts${query}`, { as: studio.operator.token });

test('200 lists accounts newest first, with owner, active plans and active jobs', async () => {
  const { person, key } = await newCustomer(studio.service, 'solo', 'agent');
  await newJob(studio.service, key);
  await post(studio.service, key, `/api/v1/jobs/${await newJob(studio.service, key)}/cancel`);
  await setPlan(studio.service, person, 'solo', { status: 'canceled' });
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(body.accounts[0]).toEqual({
    id: showId('acct', person.accountId),
    name: 'Ada Lovelace',
    owner_email: person.email,
    plan_codes: ['agent'],
    paused: [],
    past_due: [],
    suspension: null,
    standing: null,
    active_jobs: 1,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    imported_at: null,
  });
  expect(body.accounts.at(-1).id).toBe(showId('acct', studio.ada.accountId));
  expect(body.next_cursor).toBeNull();
});

test('200 names plans that are paused, and those whose payment is overdue', async () => {
  const { person } = await newCustomer(studio.service, 'solo', 'agent');
  await setPlan(studio.service, person, 'solo', { status: 'paused' });
  await setPlan(studio.service, person, 'agent', { status: 'past_due' });
  const { accounts } = (await list(`?q=${showId('acct', person.accountId)}`)).body;
  expect(accounts[0]).toMatchObject({ plan_codes: ['agent'], paused: ['solo'], past_due: ['agent'] });
});

test('200 leaves the own account of an operator out until it is sought or has a plan', async () => {
  const { operator } = studio;
  const ids = async (query = '') => (await list(query)).body.accounts.map(({ id }: { id: string }) => id);
  const own = showId('acct', operator.accountId);
  expect(await ids()).not.toContain(own);
  expect(await ids(`?q=${own}`)).toEqual([own]);
  await grant(studio.service, operator, 'solo');
  expect(await ids()).toContain(own);
});

test('200 walks all accounts once, page by page', async () => {
  const all = (await list()).body.accounts;
  const first = (await list('?limit=1')).body;
  const rest = (await list(`?limit=100&cursor=${first.next_cursor}`)).body;
  expect([...first.accounts, ...rest.accounts]).toEqual(all);
  expect(rest.next_cursor).toBeNull();
});

test('200 with q: part of the name, of a member’s address, or the id', async () => {
  const { person } = await newCustomer(studio.service);
  const id = showId('acct', person.accountId);
  const found = async (q: string) =>
    (await list(`?q=${encodeURIComponent(q)}`)).body.accounts.map((account: { id: string }) => account.id);
  expect(await found(person.email.slice(0, 20).toUpperCase())).toEqual([id]);
  expect(await found(id)).toEqual([id]);
  for (const pasted of [`mailto:${person.email}`, `Ada <${person.email}>; `]) expect(await found(pasted)).toEqual([id]);
  expect(await found('LOVELACE')).toContain(id);
  expect(await found('%')).toEqual([]);
  const { next_cursor } = (await list('?limit=1&q=lovelace')).body;
  const { status, body } = await list(`?limit=1&cursor=${next_cursor}`);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});

test.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'limit=1&limit=1', 'name=x'])(
  '400 invalid_request: %s',
  async (query) => {
    const { status, body } = await list(`?${query}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  },
);
