import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { said } from '../../../test/support/every-endpoint.ts';
import { importInto } from '../../../test/support/imports.ts';
import { pastWork, writeFolder } from '../../../test/support/past-work.ts';
import { post, sharedStudio, type Studio } from '../../../test/support/jobs.ts';
import { makeOperator, mailedToken, newSession, signUp, type TestPerson } from '../../../test/support/people.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
let folder: string;
beforeAll(async () => {
  studio = await sharedStudio();
  folder = mkdtempSync(join(tmpdir(), 'atelier-invite-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

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
  post(studio.service, as, `${path}/imported-people/invite`, body);

async function peopleAt(path: string): Promise<Imported[]> {
  return (await studio.service.call('GET', path, { as: studio.operator.token })).body.account.imported_people;
}

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

test('422 invalid_request: somebody of another account', async () => {
  const [one, other] = [await newImported(), await newImported()];
  const [person] = await peopleAt(other.path);
  const refused = await invite(one.path, { person_ids: [person?.id] });
  expect([said(refused), refused.body.error.details[0].location]).toEqual(['422 invalid_request', '/person_ids/0']);
});
