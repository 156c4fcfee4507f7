import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createImportingStudio, importInto, joinImported } from '../../test/support/imports.ts';
import { pastWork, type Tables, writeFolder } from '../../test/support/past-work.ts';
import { post, type Studio } from '../../test/support/jobs.ts';
import { goodPassword } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';
import { compareCustomer } from './compare-import.ts';
import { readImport } from './read-import.ts';
import { writeCustomer } from './write-customer.ts';

let studio: Studio;
let folder: string;
let tables: Tables;
beforeAll(async () => void (studio = await createImportingStudio()));
afterAll(() => studio.service.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-write-'));
  tables = pastWork();
});
afterEach(() => rmSync(folder, { recursive: true }));

const runImport = (dryRun = false) => {
  writeFolder(folder, tables);
  return importInto(studio.service, folder, dryRun);
};

async function bakery(): Promise<string> {
  const row = studio.service.context.db.selectFrom('accounts').select('id');
  return (await row.where('name', '=', tables.customers[0]?.name ?? '').executeTakeFirstOrThrow()).id;
}

/** What an import found for the bakery, before something else happens. */
async function compareBakery() {
  const { db, catalog } = studio.service.context;
  writeFolder(folder, tables);
  const { customers } = await readImport(folder, catalog, new Date());
  return compareCustomer(db, customers[0]!);
}

const invitationsTo = async (email: string) =>
  (
    await studio.service.context.db
      .selectFrom('invitations')
      .select(['status', 'role'])
      .where('email', '=', email.toLowerCase())
      .execute()
  ).map(({ status, role }) => `${status} ${role}`);

const people = async (accountId: string) => {
  const { rows } = await sql<{ said: string }>`
    select u.name || ' ' || p.email as said from imported_people p join people u on u.id = p.person_id
    where p.account_id = ${accountId} order by 1`.execute(studio.service.context.db);
  return rows.map(({ said }) => said);
};

test('an account that was closed in the meantime stays empty', async () => {
  await runImport();
  const accountId = await bakery();
  tables.jobs.push({ ...tables.jobs[0], external_id: 'late', files: '' });
  const change = await compareBakery();
  expect(change.newJobs).toHaveLength(1);
  const as = await joinImported(studio, accountId, tables.people[0]?.email ?? '');
  await post(studio.service, as, '/api/auth/account/close', { password: goodPassword });
  await expect(writeCustomer(studio.service.context, change)).rejects.toThrow('closed in the meantime');
  const { rows } = await sql`
    select from jobs where account_id = ${accountId} and customer_title <> 'Deleted'`.execute(
    studio.service.context.db,
  );
  expect(rows).toEqual([]);
});

test('somebody who joined in the meantime keeps the name of their account', async () => {
  await runImport();
  const accountId = await bakery();
  const name = tables.customers[0]?.name;
  Object.assign(tables.customers[0] ?? {}, { name: 'Renamed' });
  const change = await compareBakery();
  await joinImported(studio, accountId, tables.people[0]?.email ?? '');
  expect(await writeCustomer(studio.service.context, change)).toMatchObject([
    { file: 'customers.csv', column: 'name' },
  ]);
  const { db } = studio.service.context;
  const row = await db.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirst();
  expect(row?.name).toBe(name);
});

test('after a commit whose answer was lost, the bytes stay', async () => {
  const change = await compareBakery();
  const original = pg.Client.prototype.query as (...args: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const answer: unknown = original.apply(this, args);
    if (args[0] !== 'commit') return answer;
    return Promise.resolve(answer).then(() => Promise.reject(new Error('The connection is lost.')));
  });
  await expect(writeCustomer(studio.service.context, change)).rejects.toThrow('The connection is lost.');
  spy.mockRestore();
  const { db, storage } = studio.service.context;
  const files = await db
    .selectFrom('files')
    .select('object_key')
    .where('account_id', '=', await bakery())
    .execute();
  expect(files.length).toBeGreaterThan(0);
  for (const { object_key } of files) expect(await storage.measure(object_key ?? '')).not.toBeNull();
});

test('a file that changes while it is imported keeps its customer out, and no bytes stay', async () => {
  const change = await compareBakery();
  const { storage } = studio.service.context;
  const keys = () => Array.fromAsync(storage.keysBefore(new Date(Date.now() + 60_000)));
  const before = await keys();
  const last = change.newJobs.flatMap(({ files }) => files).at(-1);
  appendFileSync(last?.path ?? '', 'longer');
  await expect(writeCustomer(studio.service.context, change)).rejects.toThrow('changed while it was imported');
  expect((await keys()).toSorted()).toEqual(before.toSorted());
});

test('jobs of somebody who has joined name the member, also under a new id, and nobody is imported for them', async () => {
  await runImport();
  const accountId = await bakery();
  const [ada, tom] = tables.people as [Record<string, string>, Record<string, string>];
  for (const { email = '' } of [ada, tom]) await joinImported(studio, accountId, email);
  const { db } = studio.service.context;
  const changed = tom.email?.toLowerCase().replace('@', '.now@');
  await sql`update people set email = ${changed} where email = ${tom.email?.toLowerCase()}`.execute(db);
  const later = (external_id: string, person = '') => ({ ...tables.jobs[0], external_id, person, files: '' });
  Object.assign(ada, { external_id: 'ada-anew' });
  tables.jobs.push(later('later-tom', tom.external_id), later('later-ada', 'ada-anew'));
  expect((await runImport()).problems).toEqual([]);
  expect(await people(accountId)).toEqual([]);
  const { rows } = await sql<{ email: string }>`
    select u.email from jobs j left join people u on u.id = j.created_by_user where j.account_id = ${accountId}
    order by j.id desc limit 2`.execute(db);
  expect(rows.map(({ email }) => email).toSorted()).toEqual([ada.email?.toLowerCase(), changed].toSorted());
});

test('people swap and hand on their addresses, and invitations to the old ones end', async () => {
  await runImport();
  const accountId = await bakery();
  const [ada, tom] = tables.people as [Record<string, string>, Record<string, string>];
  const [first, second] = [ada.email ?? '', tom.email ?? ''].map((email) => email.toLowerCase());
  const path = `/api/operator/v1/accounts/${showId('acct', accountId)}/imported/invite`;
  expect((await post(studio.service, studio.operator.token, path, {})).body.invited).toBe(2);
  [ada.email, tom.email] = [tom.email ?? '', ada.email ?? ''];
  expect((await runImport(true)).problems).toEqual([]);
  expect((await runImport()).problems).toEqual([]);
  expect(await people(accountId)).toEqual([`Tom Reyes ${first}`, `${ada.name} ${second}`].toSorted());
  expect([await invitationsTo(first ?? ''), await invitationsTo(second ?? '')]).toEqual([
    ['canceled owner'],
    ['canceled member'],
  ]);
  tables.people.push({ ...tom, external_id: 'new', name: 'Nia', email: first ?? '' });
  tom.email = `moved.${first}`;
  expect((await runImport()).problems).toEqual([]);
  expect(await people(accountId)).toContain(`Nia ${first}`);
});

test('an address of somebody whom the file no longer names, or of a member, is refused by its row', async () => {
  await runImport();
  const [ada, tom] = tables.people as [Record<string, string>, Record<string, string>];
  const old = tom.external_id ?? '';
  for (const job of tables.jobs) if (job.person === old) job.person = 'nia';
  Object.assign(tom, { external_id: 'nia', name: 'Nia' });
  const refused = [{ file: 'people.csv', line: 3, column: 'email' }];
  const ofPeople = ({ problems }: { problems: { file: string }[] }) =>
    problems.filter(({ file }) => file === 'people.csv');
  expect(ofPeople(await runImport(true))).toMatchObject(refused);
  expect(ofPeople(await runImport())).toMatchObject(refused);
  Object.assign(tom, { external_id: old, name: 'Tom Reyes' });
  for (const job of tables.jobs) if (job.person === 'nia') job.person = old;
  await joinImported(studio, await bakery(), ada.email ?? '');
  const email = ada.email ?? '';
  tables.people.splice(0, 1);
  Object.assign(tom, { email, role: 'owner' });
  expect((await runImport()).problems).toMatchObject([{ file: 'people.csv', line: 2, column: 'email' }]);
});
