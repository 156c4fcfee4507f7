import { beforeAll, expect, test } from 'vitest';
import { internalActions } from '../../contract/desk/audit-actions.ts';
import { showId } from '../lib/id.ts';
import { sharedStudio, makeMoves, newCustomer, newJob, post, type Studio } from '../../test/support/jobs.ts';
import { addMember } from '../../test/support/people.ts';
import { claim, makeWorker, moveToFamily } from '../../test/support/workers.ts';

let studio: Studio;
let job: string;
beforeAll(async () => {
  studio = await sharedStudio();
  const { service, operator, key } = studio;
  await newJob(service, (await newCustomer(service, 'agent')).key); // another customer's job
  job = await newJob(service, key);
  const { body } = await claim(studio, await makeWorker(studio), {
    service_families: [await moveToFamily(service, job)],
  });
  expect(body.job.id).toBe(job);
  await post(service, operator.token, `/api/operator/v1/jobs/${job}/hold`, {});
  await post(service, operator.token, `/api/operator/v1/jobs/${job}/notes`, { body: 'Internal.' });
  await makeMoves(studio, job, 'start');
});

const read = (query = '', as = studio.ada.token) => studio.service.call('GET', `/api/v1/audit${query}`, { as });

test('200 shows the account’s own changes: people and keys by name, the studio without names or addresses', async () => {
  const { status, body } = await read(`?subject=${job}`);
  expect(status).toBe(200);
  expect(
    body.audit_entries.map(({ action, actor }: { action: string; actor: string }) => `${action} ${actor}`),
  ).toEqual(['job.started operator', 'job.accepted operator', 'job.created customer']);
  expect(body.audit_entries[0]).toMatchObject({ created_by: null, address: null });
  expect(body.audit_entries[2]).toMatchObject({
    created_by: { kind: 'api_key', name: 'test key' },
    address: expect.any(String),
  });
});

test('200 holds nothing of other accounts, and none of the studio’s own affairs', async () => {
  const { body } = await read('?limit=100');
  expect(body.audit_entries.length).toBeGreaterThan(4);
  expect(new Set(body.audit_entries.map((entry: { account_id: string }) => entry.account_id))).toEqual(
    new Set([showId('acct', studio.ada.accountId)]),
  );
  const actions = body.audit_entries.map(({ action }: { action: string }) => action);
  expect(actions.filter((action: never) => internalActions.includes(action))).toEqual([]);
  expect(JSON.stringify(body)).not.toContain(showId('user', studio.operator.userId));
  expect(JSON.stringify(body)).not.toContain('wkey_');
  expect((await read('?action=job.held')).body.audit_entries).toEqual([]);
});

test('200 page by page', async () => {
  const all = (await read('?limit=100')).body.audit_entries;
  const first = (await read('?limit=2')).body;
  const rest = (await read(`?limit=100&cursor=${first.next_cursor}`)).body;
  expect([...first.audit_entries, ...rest.audit_entries]).toEqual(all);
});

test('403 role_required: a member', async () => {
  const member = await addMember(studio.service, studio.ada, 'member');
  const { status, body } = await read('', member.token);
  expect([status, body.error.code]).toEqual([403, 'role_required']);
});

test.each(['action=nothing', 'limit=0', 'account_id=x', 'actor=customer', 'cursor=x'])(
  '400 invalid_request: %s',
  async (query) => {
    const { status, body } = await read(`?${query}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  },
);
