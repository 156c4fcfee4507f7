import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { said } from '../../../test/support/every-endpoint.ts';
import { createImportingStudio, importInto, joinImported } from '../../../test/support/imports.ts';
import { pastWork, writeFolder } from '../../../test/support/past-work.ts';
import { post, type Studio } from '../../../test/support/jobs.ts';
import { makeOperator, mailedToken, newSession, signUp, type TestPerson } from '../../../test/support/people.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
let folder: string;
beforeAll(async () => {
  studio = await createImportingStudio();
  folder = mkdtempSync(join(tmpdir(), 'atelier-invite-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await studio.service.close();
});

type Imported = { id: string; name: string; email: string; role: string; invited_until: string | null };

/** An imported customer with an owner, Ada, and a member, Tom, to whom two of the jobs belong. */
async function newImported(email?: string) {
  const tables = { ...pastWork(), files: {} };
  for (const job of tables.jobs) job.files = '';
  if (email !== undefined) Object.assign(tables.people[1] ?? {}, { email });
  writeFolder(folder, tables);
  expect((await importInto(studio.service, folder)).problems).toEqual([]);
  const { id } = await studio.service.context.db
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', tables.customers[0]?.name ?? '')
    .executeTakeFirstOrThrow();
  return { accountId: id, path: `/api/operator/v1/accounts/${showId('acct', id)}` };
}

const invite = (path: string, body: object = {}, as = studio.operator.token) =>
  post(studio.service, as, `${path}/imported/invite`, body);

async function peopleAt(path: string): Promise<Imported[]> {
  return (await studio.service.call('GET', path, { as: studio.operator.token })).body.account.imported_people;
}

const invitedEarlier = (email = '') =>
  studio.service.context.db
    .updateTable('invitations')
    .set({ created_at: new Date(Date.now() - 11 * 60_000) })
    .where('email', '=', email)
    .execute();

const mailsTo = (email: string) => studio.service.emails.filter(({ to }) => to === email).length;

test('200: all who wait are invited once, and each can be invited again', async () => {
  const { path } = await newImported();
  const [tom, ada] = await peopleAt(path);
  expect(tom).toMatchObject({ name: 'Tom Reyes', role: 'member', invited_until: null });
  const { status, body } = await invite(path);
  expect([status, body.invited]).toEqual([200, 2]);
  expect(body.account.imported_people.map(({ invited_until }: Imported) => invited_until)).toEqual([
    expect.any(String),
    expect.any(String),
  ]);
  expect((await invite(path)).body.invited).toBe(0);
  await invitedEarlier(tom?.email);
  expect((await invite(path, { person_ids: [tom?.id] })).body.invited).toBe(1);
  expect([mailsTo(tom?.email ?? ''), mailsTo(ada?.email ?? '')]).toEqual([2, 1]);
});

test('200: who accepts takes the place of the imported person, with an account of their own or not', async () => {
  const tom: TestPerson = await signUp(studio.service, 'Thomas');
  const { accountId, path } = await newImported(tom.email);
  await invite(path);
  const token = mailedToken(studio.service, tom.email, 'You are invited');
  const { body: received } = await studio.service.call('GET', '/api/auth/my-invitations', { as: tom.token });
  const { body } = await post(studio.service, tom.token, `/api/auth/invitations/${received.invitations[0].id}/accept`, {
    token,
  });
  expect(body.account.id).toBe(showId('acct', accountId));
  const { token: as } = await newSession(studio.service, tom);
  const { jobs } = (await studio.service.call('GET', '/api/v1/jobs?limit=100', { as })).body;
  const byTom = jobs.filter(
    ({ created_by }: { created_by: { id: string } }) => created_by.id === showId('user', tom.userId),
  );
  expect(byTom).toHaveLength(5);
  expect(byTom[0].created_by.name).toBe('Thomas');
  expect((await peopleAt(path)).map(({ email }) => email)).not.toContain(tom.email);
  const { db } = studio.service.context;
  const left = db
    .selectFrom('people')
    .select('id')
    .where('name', '=', 'Tom Reyes')
    .where('email', 'like', '%@imported.invalid');
  const placeholders = db.selectFrom('imported_people').select('person_id').where('account_id', '=', accountId);
  expect(await left.where('id', 'in', placeholders).execute()).toEqual([]);
});

test('200: the invitations of an operator end with them', async () => {
  const { path } = await newImported();
  const lead = await makeOperator(studio.service, 'lead');
  expect((await invite(path, {}, lead.token)).status).toBe(200);
  await studio.service.call('DELETE', `/api/operator/v1/operators/${showId('user', lead.userId)}`, {
    as: studio.operator.token,
  });
  expect((await peopleAt(path)).map(({ invited_until }) => invited_until)).toEqual([null, null]);
});

test('200: the invitations of a lead who becomes a maker end', async () => {
  const { accountId, path } = await newImported();
  const lead = await makeOperator(studio.service, 'lead');
  await invite(path, {}, lead.token);
  const body = { role: 'maker' };
  await studio.service.call('PATCH', `/api/operator/v1/operators/${showId('user', lead.userId)}`, {
    as: studio.operator.token,
    body,
  });
  expect((await peopleAt(path)).map(({ invited_until }) => invited_until)).toEqual([null, null]);
  const entries = studio.service.context.db.selectFrom('audit_log').select('id').where('account_id', '=', accountId);
  expect(await entries.where('action', '=', 'invitation.canceled').execute()).toHaveLength(2);
});

test('200: once an owner has joined, nobody is invited as an owner, and an invitation of a member stays', async () => {
  const { accountId, path } = await newImported();
  const people = await peopleAt(path);
  const owner = await joinImported(studio, accountId, people.find(({ role }) => role === 'owner')?.email ?? '');
  await studio.service.context.db
    .updateTable('imported_people')
    .set({ role: 'owner' })
    .where('account_id', '=', accountId)
    .execute();
  const [tom] = await peopleAt(path);
  expect(tom?.role).toBe('member');
  await invitedEarlier(tom?.email);
  await invite(path, { person_ids: [tom?.id] });
  const roles = studio.service.context.db
    .selectFrom('invitations')
    .select('role')
    .where('email', '=', tom?.email ?? '');
  expect(await roles.where('status', '=', 'pending').execute()).toEqual([{ role: 'member' }]);
  expect(
    (await post(studio.service, owner, '/api/auth/invitations', { email: tom?.email, role: 'admin' })).status,
  ).toBe(201);
  await invitedEarlier(tom?.email);
  const refused = await invite(path, { person_ids: [tom?.id] });
  expect([said(refused), refused.body.error.details[0].message]).toEqual([
    '422 invalid_request',
    expect.stringContaining('from a member'),
  ]);
  expect(await roles.where('status', '=', 'pending').execute()).toEqual([{ role: 'admin' }]);
});

test('200: an address that the studio and a member invite at once has one open invitation', async () => {
  const { accountId, path } = await newImported();
  const [tom, ada] = await peopleAt(path);
  const owner = await joinImported(studio, accountId, ada?.email ?? '');
  const { db } = studio.service.context;
  for (let round = 0; round < 5; round += 1) {
    await db
      .deleteFrom('invitations')
      .where('email', '=', tom?.email ?? '')
      .execute();
    await Promise.all([
      invite(path),
      post(studio.service, owner, '/api/auth/invitations', { email: tom?.email, role: 'member' }),
    ]);
    const open = db
      .selectFrom('invitations')
      .select('id')
      .where('email', '=', tom?.email ?? '');
    expect(await open.where('status', '=', 'pending').execute()).toHaveLength(1);
  }
});

test('200: what an Idempotency-Key remembers has no address, and a repeat answers the account', async () => {
  const { path } = await newImported();
  const ask = () =>
    studio.service.call('POST', `${path}/imported/invite`, {
      as: studio.operator.token,
      body: {},
      headers: { 'idempotency-key': path },
    });
  const first = await ask();
  const again = await ask();
  expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([200, 'true', first.body]);
  const { db } = studio.service.context;
  const kept = await db.selectFrom('caller_idempotency_keys').select('answer').where('key', '=', path).execute();
  expect(kept).toHaveLength(1);
  expect(JSON.stringify(kept)).not.toMatch(/customer\.example|Reyes/);
});

test('200: the desk finds the customer by an address and by an imported owner, and their jobs by the one who joined', async () => {
  const { accountId, path } = await newImported();
  const [tom, ada] = await peopleAt(path);
  const atDesk = async (way: string) =>
    (await studio.service.call('GET', `/api/operator/v1/${way}`, { as: studio.operator.token })).body;
  const { accounts } = await atDesk(`accounts?q=${tom?.email}`);
  expect(accounts.map(({ id }: { id: string }) => id)).toEqual([showId('acct', accountId)]);
  for (const words of [tom?.email, ada?.name])
    expect((await atDesk(`jobs?limit=100&q=${encodeURIComponent(words ?? '')}`)).jobs).toHaveLength(20);
  const { db } = studio.service.context;
  await db.deleteFrom('unindexed_jobs').where('account_id', '=', accountId).execute();
  await joinImported(studio, accountId, tom?.email ?? '');
  expect(
    await db.selectFrom('unindexed_jobs').select('job_id').where('account_id', '=', accountId).execute(),
  ).toHaveLength(5);
});

test('200: nobody can sign in as an imported person, and the studio may view their account', async () => {
  const { path } = await newImported();
  const [tom] = await peopleAt(path);
  const body = { email: tom?.email, password: 'correct horse battery' };
  expect((await studio.service.call('POST', '/api/auth/sign-in/email', { body })).status).toBe(401);
  const { token } = await makeOperator(studio.service, 'lead');
  expect((await post(studio.service, token, `${path}/view`)).status).toBe(200);
});

test('403 role_required: a reviewer of the studio', async () => {
  const { path } = await newImported();
  const { token } = await makeOperator(studio.service, 'reviewer');
  expect(said(await invite(path, {}, token))).toBe('403 role_required');
});

test('404 account_not_found', async () => {
  expect(said(await invite(`/api/operator/v1/accounts/acct_01jd3vsh8xe7rtx1zqbdnzc4v0`))).toBe('404 account_not_found');
});

test('422 invalid_request: somebody who was invited a moment ago', async () => {
  const { path } = await newImported();
  const [tom] = await peopleAt(path);
  await invite(path);
  expect(said(await invite(path, { person_ids: [tom?.id] }))).toBe('422 invalid_request');
  expect(mailsTo(tom?.email ?? '')).toBe(1);
});

test('422 invalid_request: somebody of another account', async () => {
  const [one, other] = [await newImported(), await newImported()];
  const [person] = await peopleAt(other.path);
  const refused = await invite(one.path, { person_ids: [person?.id] });
  expect([said(refused), refused.body.error.details[0].location]).toEqual(['422 invalid_request', '/person_ids/0']);
});
