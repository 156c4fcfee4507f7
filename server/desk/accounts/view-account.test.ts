import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { endView, tryView, view } from '../../../test/support/account-views.ts';
import { addSecondFactor } from '../../../test/support/authenticator.ts';
import { said } from '../../../test/support/every-endpoint.ts';
import { sharedStudio, newCustomer, newJob, type Studio } from '../../../test/support/jobs.ts';
import { addMember, closeAccount, makeOperator, signIn, type TestPerson } from '../../../test/support/people.ts';
import { createService } from '../../../test/support/harness.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const get = (as: string, path = '/api/v1/jobs', headers = {}) => studio.service.call('GET', path, { as, headers });
const accountOf = async (as: string) => (await get(as, '/api/v1/me')).body.account.id;
const acct = ({ accountId }: TestPerson) => showId('acct', accountId);
const audited = async (as: string, action: string) =>
  (await get(as, `/api/v1/audit?action=${action}`)).body.audit_entries;

test('200: the session sees the account as its owner, says so, and names when it ends', async () => {
  const job = await newJob(studio.service, studio.key, { metadata: { order: '1' } });
  const lead = await makeOperator(studio.service, 'lead');
  const began = Date.now();
  const shown = await view(studio, lead.token);
  const left = Date.parse(shown.viewed_until) - began;
  expect(left).toBeGreaterThan(29 * 60_000);
  expect(left).toBeLessThan(31 * 60_000);
  expect(shown.account).toMatchObject({ id: acct(studio.ada), suspended_since: null });

  const me = await get(lead.token, '/api/v1/me');
  expect(me.body).toMatchObject({
    account: { id: acct(studio.ada) },
    user: { id: showId('user', lead.userId) },
    role: 'owner',
    viewed_until: shown.viewed_until,
  });
  const session = await get(lead.token, '/api/auth/session');
  expect([session.body.account.id, session.body.view]).toEqual([acct(lead), shown]);
  const { body } = await get(lead.token, `/api/v1/jobs/${job}`);
  expect([body.job.id, body.job.metadata, body.job.allowed_actions]).toEqual([job, {}, []]);
  expect((await get(studio.ada.token, `/api/v1/jobs/${job}`)).body.job).toMatchObject({
    metadata: { order: '1' },
    allowed_actions: ['cancel'],
  });
});

test('200: the audit log of the account says that the studio viewed it, that of the studio who did', async () => {
  const { person } = await newCustomer(studio.service, 'studio');
  const lead = await makeOperator(studio.service, 'lead');
  const shown = await view(studio, lead.token, person);
  const entry = { actor: 'operator', subject: acct(person), details: { viewed_until: shown.viewed_until } };
  expect(await audited(person.token, 'account.viewed')).toMatchObject([{ ...entry, created_by: null }]);
  const path = `/api/operator/v1/audit?action=account.viewed&account_id=${acct(person)}`;
  const created_by = { id: showId('user', lead.userId), name: 'Operator' };
  expect((await get(studio.operator.token, path)).body.audit_entries).toMatchObject([{ ...entry, created_by }]);
});

test('200: another account ends the first view; the same one begins its time anew', async () => {
  const { person } = await newCustomer(studio.service, 'studio');
  const lead = await makeOperator(studio.service, 'lead');
  await view(studio, lead.token, person);
  const first = await view(studio, lead.token, person);
  const second = await view(studio, lead.token);
  expect(Date.parse(second.viewed_until)).toBeGreaterThanOrEqual(Date.parse(first.viewed_until));
  expect(await accountOf(lead.token)).toBe(acct(studio.ada));
  expect(await audited(person.token, 'account.view_ended')).toHaveLength(1);
});

test('200: other sessions and other tabs of the desk go on; x-service-account names the viewed account', async () => {
  const lead = await makeOperator(studio.service, 'lead');
  const elsewhere = await signIn(studio.service, lead.email);
  await view(studio, lead.token);
  expect(await accountOf(elsewhere.token)).toBe(acct(lead));
  expect((await get(lead.token, '/api/operator/v1/jobs')).status).toBe(200);
  const named = (person: TestPerson, path: string) => get(lead.token, path, { 'x-service-account': acct(person) });
  expect((await named(studio.ada, '/api/v1/jobs')).status).toBe(200);
  expect(said(await named(lead, '/api/v1/jobs'))).toBe('409 account_changed');
  for (const person of [studio.ada, lead]) expect((await named(person, '/api/auth/session')).status).toBe(200);
});

test('200: an operator who is a member elsewhere has the own account back after the stop', async () => {
  const lead = await makeOperator(studio.service, 'lead');
  const own = await newJob(studio.service, (await newCustomer(studio.service, 'studio')).key);
  await view(studio, lead.token);
  expect((await get(lead.token, `/api/v1/jobs/${own}`)).status).toBe(404);
  expect((await endView(studio, lead.token)).status).toBe(200);
  expect(await accountOf(lead.token)).toBe(acct(lead));
  expect((await get(lead.token, '/api/v1/api-keys')).status).toBe(200);
});

const ends: [string, (lead: TestPerson, customer: TestPerson) => Promise<unknown>][] = [
  [
    'its time is over',
    ({ sessionId }) =>
      sql`update sessions set viewed_until = now() - interval '1 second' where id = ${sessionId}`.execute(
        studio.service.context.db,
      ),
  ],
  [
    'the operator is demoted, also after a promotion',
    async ({ userId }) => {
      for (const role of ['maker', 'lead'])
        await studio.service.call('PATCH', `/api/operator/v1/operators/${showId('user', userId)}`, {
          as: studio.operator.token,
          body: { role },
        });
    },
  ],
  ['the account is closed', (_, customer) => closeAccount(studio.service, customer)],
];

test.each(ends)('the view ends when %s', async (_, end) => {
  const { person } = await newCustomer(studio.service, 'studio');
  const lead = await makeOperator(studio.service, 'lead');
  await view(studio, lead.token, person);
  expect(await accountOf(lead.token)).toBe(acct(person));
  await end(lead, person);
  expect(await accountOf(lead.token)).toBe(acct(lead));
  expect((await get(lead.token, '/api/auth/session')).body.view).toBeNull();
});

test('the view ends with the session: a new sign-in begins without one', async () => {
  const lead = await makeOperator(studio.service, 'lead');
  await view(studio, lead.token);
  await studio.service.call('POST', '/api/auth/sign-out', { as: lead.token });
  expect(said(await get(lead.token))).toBe('401 unauthenticated');
  expect(await accountOf((await signIn(studio.service, lead.email)).token)).toBe(acct(lead));
});

test('a view does not outlive the second factor that the desk asks for', async () => {
  const service = await createService({ OPERATOR_SECOND_FACTOR: 'required' });
  const { person: ada, key } = await newCustomer(service, 'studio');
  const person = await makeOperator(service, 'lead');
  const lead = { ...person, token: (await addSecondFactor(service, person)).token };
  await view({ service, ada, key, operator: lead }, lead.token);
  await service.context.db.updateTable('people').set({ second_factor: false }).where('id', '=', lead.userId).execute();
  const { body } = await service.call('GET', '/api/v1/me', { as: lead.token });
  expect([body.account.id, body.viewed_until]).toEqual([acct(lead), null]);
  await service.close();
});

test('403 role_required: makers and reviewers', async () => {
  for (const role of ['maker', 'reviewer'] as const) {
    const { token } = await makeOperator(studio.service, role);
    expect(said(await tryView(studio, token))).toBe('403 role_required');
    expect(said(await endView(studio, token))).toBe('403 role_required');
  }
});

test('403 csrf_token_invalid: a browser without the token', async () => {
  const { cookie } = await makeOperator(studio.service, 'lead');
  expect(said(await tryView(studio, { cookie }))).toBe('403 csrf_token_invalid');
  expect(said(await endView(studio, { cookie }))).toBe('403 csrf_token_invalid');
});

test('404 account_not_found: an id that names nothing, and an account that is closed', async () => {
  const { person } = await newCustomer(studio.service, 'studio');
  await closeAccount(studio.service, person);
  expect(said(await tryView(studio, studio.operator.token, person))).toBe('404 account_not_found');
  const unknown = { ...person, accountId: studio.operator.userId };
  expect(said(await tryView(studio, studio.operator.token, unknown))).toBe('404 account_not_found');
});

test('422 idempotency_key_not_accepted: the request is about this moment', async () => {
  const path = `/api/operator/v1/accounts/${acct(studio.ada)}/view`;
  const headers = { 'idempotency-key': 'one' };
  const answer = await studio.service.call('POST', path, { as: studio.operator.token, headers });
  expect(said(answer)).toBe('422 idempotency_key_not_accepted');
});

test('messages and comments are nobody’s own in a view', async () => {
  const job = await newJob(studio.service, studio.key);
  const member = await addMember(studio.service, studio.ada, 'member');
  const body = { text: 'The dark green, please.' };
  await studio.service.call('POST', `/api/v1/jobs/${job}/messages`, { as: member.token, body });
  const lead = await makeOperator(studio.service, 'lead');
  await studio.service.call('POST', `/api/operator/v1/jobs/${job}/messages`, { as: lead.token, body });
  await view(studio, lead.token);
  const thread = (await get(lead.token, `/api/v1/jobs/${job}/messages`)).body;
  expect(thread.messages.map(({ mine }: { mine: boolean }) => mine)).toEqual([false, false]);
  expect(thread.messages[0].author.name).toBe('The studio');
  expect([thread.read_message_id, thread.following]).toEqual([null, false]);
});

test('a demotion ends no view of another operator', async () => {
  const [demoted, lead] = [await makeOperator(studio.service, 'lead'), await makeOperator(studio.service, 'lead')];
  for (const { token } of [demoted, lead]) await view(studio, token);
  const path = `/api/operator/v1/operators/${showId('user', demoted.userId)}`;
  await studio.service.call('PATCH', path, { as: studio.operator.token, body: { role: 'maker' } });
  expect([await accountOf(demoted.token), await accountOf(lead.token)]).toEqual([acct(demoted), acct(studio.ada)]);
});
