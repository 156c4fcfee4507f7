import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bytesOf, download } from '../../test/support/files.ts';
import type { Service } from '../../test/support/harness.ts';
import { createImportingStudio, importInto, joinImported } from '../../test/support/imports.ts';
import { post, type Studio } from '../../test/support/jobs.ts';
import { pastWork, type Tables, writeFolder } from '../../test/support/past-work.ts';
import { goodPassword, signUp } from '../../test/support/people.ts';
import { checkDatabase } from '../check/check-database.ts';
import { checkObjects } from '../check/check-objects.ts';
import { scheduledTasks } from '../scheduled-tasks.ts';

// Of its own: it compares whole tables, runs all tasks and changes the CHECKs.
let studio: Studio;
let service: Service;
let folder: string;
beforeAll(async () => {
  studio = await createImportingStudio();
  service = studio.service;
});
afterAll(() => service.close());
let tables: Tables;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-import-'));
  tables = pastWork();
});
afterEach(() => rmSync(folder, { recursive: true }));

const runImport = (dryRun = false) => {
  writeFolder(folder, tables);
  return importInto(service, folder, dryRun);
};

const written = ['accounts', 'people', 'imported_people', 'imported_rows', 'jobs', 'job_submissions', 'job_outcomes'];
const untouched = ['events', 'usage_ledger', 'usage_totals', 'mails', 'notifications', 'webhook_deliveries', 'members'];

async function rowsOf(names: readonly string[]): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const name of names) {
    const { rows } = await sql<{
      row: unknown;
    }>`select to_jsonb(t) as row from ${sql.table(name)} t order by 1`.execute(service.context.db);
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

async function accountNamed(name: string): Promise<string> {
  const row = service.context.db.selectFrom('accounts').select('id').where('name', '=', name);
  return (await row.executeTakeFirstOrThrow()).id;
}

const states = ({ customers }: { customers: { state: string }[] }) => customers.map(({ state }) => state);

/** Invites the people of a customer. One of them signs up by the mail. */
async function joinCustomer(customer: number, person: number) {
  const accountId = await accountNamed(tables.customers[customer]?.name ?? '');
  return { as: await joinImported(studio, accountId, tables.people[person]?.email ?? ''), accountId };
}
const joinBakery = () => joinCustomer(0, 0);

test('three customers, five people and forty jobs are imported; a second run changes nothing and says so', async () => {
  const before = await rowsOf(untouched);
  const first = await runImport();
  expect(first.problems).toEqual([]);
  expect(first.customers.map(({ state, people, jobs }) => ({ state, people, jobs }))).toEqual([
    { state: 'new', people: 2, jobs: 20 },
    { state: 'new', people: 2, jobs: 10 },
    { state: 'new', people: 1, jobs: 10 },
  ]);
  expect(await rowsOf(untouched), 'no event, usage, mail or membership').toEqual(before);
  const once = await rowsOf([...written, 'files', 'audit_log']);
  const second = await runImport();
  expect([states(second), second.problems]).toEqual([['unchanged', 'unchanged', 'unchanged'], []]);
  expect(await rowsOf([...written, 'files', 'audit_log'])).toEqual(once);
  expect((await checkDatabase(service.context.db)).contradictions).toEqual([]);
  expect((await checkObjects(service.context, { contents: true })).contradictions).toEqual([]);
});

test('--dry-run says the same and writes nothing', async () => {
  const before = await rowsOf([...written, 'files', 'audit_log', ...untouched]);
  const { customers, problems } = await runImport(true);
  expect([customers.map(({ state, jobs }) => [state, jobs]), problems]).toEqual([
    [
      ['new', 20],
      ['new', 10],
      ['new', 10],
    ],
    [],
  ]);
  expect(await rowsOf([...written, 'files', 'audit_log', ...untouched])).toEqual(before);
});

test('every problem is named at once by file, line and column, and the customers without one are imported', async () => {
  const [job, ...others] = tables.jobs.filter(({ customer }) => customer === tables.customers[2]?.external_id);
  Object.assign(job ?? {}, {
    service_type: 'alchemy',
    status: 'running',
    ended_at: '2020-01-01',
    created_at: '1.3.2021',
  });
  Object.assign(others[0] ?? {}, { files: '../people.csv', reason: 'Why?' });
  Object.assign(others[1] ?? {}, { files: 'none.pdf;program.pdf;empty.pdf', status: 'completed', reason: '' });
  Object.assign(others[2] ?? {}, { title: ' ', person: 'nobody' });
  Object.assign(others[3] ?? {}, { created_at: '2021-03-10', files: 'a.pdf;a.pdf' });
  Object.assign(others[4] ?? {}, { ended_at: '2999-01-01', files: 'setup.xyz' });
  Object.assign(others[5] ?? {}, { external_id: others[6]?.external_id });
  Object.assign(others[7] ?? {}, { files: Array.from({ length: 501 }, (_, n) => `${n}.pdf`).join(';') });
  Object.assign(tables.people[4] ?? {}, { email: 'bo', role: 'boss' });
  tables.people.push({ ...tables.people[4], external_id: 'bo again', email: 'BO', role: '' });
  Object.assign(tables.files, {
    'setup.xyz': Buffer.from('of no kind'),
    'program.pdf': Buffer.from('MZ\u0090 a program'),
    'empty.pdf': Buffer.alloc(0),
  });
  const { customers, problems } = await runImport();
  expect(customers.map(({ state }) => state)).toEqual(['new', 'new', 'left out']);
  const said = problems.map(({ file, column, message }) => `${file} ${column}: ${message}`);
  expect(said.toSorted()).toEqual([
    'customers.csv external_id: has no owner in people.csv',
    expect.stringMatching(/^jobs.csv created_at: must be a day/),
    expect.stringMatching(/^jobs.csv ended_at: must be after/),
    expect.stringMatching(/^jobs.csv ended_at: must be after/),
    'jobs.csv external_id: stands twice for this customer',
    expect.stringMatching(/^jobs.csv files: \.\.\/people.csv: must be a path below files/),
    'jobs.csv files: are more than 500',
    expect.stringMatching(/^jobs.csv files: empty.pdf: is empty/),
    'jobs.csv files: name a file twice',
    expect.stringMatching(/^jobs.csv files: none.pdf: is no file/),
    expect.stringMatching(/^jobs.csv files: program.pdf: begins like a Windows program/),
    expect.stringMatching(/^jobs.csv files: setup.xyz: .xyz files are not taken/),
    expect.stringMatching(/^jobs.csv person: names nobody/),
    expect.stringMatching(/^jobs.csv reason: is the reason of a rejected job/),
    expect.stringMatching(/^jobs.csv service_type: must be a service of that family/),
    expect.stringMatching(/^jobs.csv status: must be one of completed/),
    expect.stringMatching(/^jobs.csv title: must have 1 to 200/),
    expect.stringMatching(/^people.csv email: must be an e-mail/),
    expect.stringMatching(/^people.csv email: must be an e-mail/),
    'people.csv email: stands twice for this customer',
    expect.stringMatching(/^people.csv role: must be one of owner/),
  ]);
  // Each job with quotes has an instruction of two lines.
  const at = problems.find(({ column }) => column === 'status')?.line;
  expect(at).toBe(
    2 +
      tables.jobs.indexOf(job!) +
      tables.jobs.slice(0, tables.jobs.indexOf(job!)).filter(({ instructions }) => instructions).length,
  );
});

test('a link in files/ is refused: it could lead out of the folder. So are a linked directory and a linked table', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'atelier-outside-'));
  writeFolder(folder, tables);
  writeFileSync(join(outside, 'outside.pdf'), '%PDF-1.7');
  symlinkSync(join(outside, 'outside.pdf'), join(folder, 'files', 'link.pdf'));
  symlinkSync(outside, join(folder, 'files', 'linked'));
  const [inside = ''] = tables.jobs[0]?.files?.split(';') ?? [];
  symlinkSync(join(folder, 'files', inside), join(folder, 'files', 'within.pdf'));
  Object.assign(tables.jobs[0] ?? {}, { files: 'link.pdf;linked/outside.pdf;within.pdf' });
  expect((await runImport()).problems).toMatchObject([
    { file: 'jobs.csv', line: 2, column: 'files', message: 'link.pdf: is no file below files/' },
    { file: 'jobs.csv', line: 2, column: 'files', message: 'linked/outside.pdf: is no file below files/' },
    { file: 'jobs.csv', line: 2, column: 'files', message: 'within.pdf: is no file below files/' },
  ]);
  renameSync(join(folder, 'people.csv'), join(outside, 'people.csv'));
  symlinkSync(join(outside, 'people.csv'), join(folder, 'people.csv'));
  await expect(importInto(service, folder)).rejects.toThrow('There is no readable file people.csv');
  rmSync(outside, { recursive: true });
});

test.each([
  ['a column that is missing', (text: string) => text.replace('name', 'nom'), ['name', 'nom']],
  ['a quote that stays open', (text: string) => `${text}x,"y\r\n`, [null]],
  ['a row with too many cells', (text: string) => `${text}x,y,z\r\n`, [null]],
  ['a customer twice', (text: string) => `${text}${text.split('\r\n')[1]}\r\n`, ['external_id']],
])('%s keeps everything from being imported', async (_, change, columns) => {
  writeFolder(folder, tables);
  const path = join(folder, 'customers.csv');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  const before = await rowsOf(written);
  const { customers, problems } = await importInto(service, folder);
  const own = problems.filter(({ file }) => file === 'customers.csv');
  expect(own.map(({ column }) => column)).toEqual(columns);
  expect(customers.every(({ state }) => state === 'left out')).toBe(true);
  expect(await rowsOf(written)).toEqual(before);
});

test('a file in another encoding than UTF-8 is named', async () => {
  writeFolder(folder, tables);
  writeFileSync(join(folder, 'customers.csv'), Buffer.from('external_id,name\r\n1,M\xfcller\r\n', 'latin1'));
  const { problems } = await importInto(service, folder);
  expect(problems[0]).toMatchObject({ file: 'customers.csv', message: 'is not UTF-8: save it as CSV UTF-8' });
});

test('a customer whose transaction fails leaves the others whole, and no bytes behind', async () => {
  const { db } = service.context;
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin
      if (select name like '%harbour' from accounts where id = new.account_id) then raise exception 'no room'; end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger refuse before insert on job_outcomes for each row execute function refuse()`.execute(db);
  const broken = await runImport();
  await sql`drop trigger refuse on job_outcomes`.execute(db);
  expect(states(broken)).toEqual(['new', 'left out', 'new']);
  expect(broken.problems).toEqual([
    { file: 'customers.csv', line: 3, column: null, message: expect.stringContaining('no room') },
  ]);
  const harbour = tables.customers[1]?.name ?? '';
  expect(await db.selectFrom('accounts').select('id').where('name', '=', harbour).execute()).toEqual([]);
  const stored = await Array.fromAsync(service.context.storage.keysBefore(new Date(Date.now() + 60_000)));
  const { rows } = await sql<{ key: string }>`select object_key as key from files`.execute(db);
  expect(stored.filter((key) => key.startsWith('files/')).toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
  expect(states(await runImport())).toEqual(['unchanged', 'new', 'unchanged']);
});

test('a past job that changed is refused by column; names, addresses and roles change until somebody has joined', async () => {
  await runImport();
  Object.assign(tables.jobs[2] ?? {}, { title: 'Another title', created_at: '2021-03-02' });
  const [file = ''] = tables.jobs[2]?.files?.split(';') ?? [];
  tables.files[file] = Buffer.concat([tables.files[file] ?? Buffer.alloc(0), Buffer.from('longer')]);
  Object.assign(tables.customers[0] ?? {}, { name: 'Renamed' });
  Object.assign(tables.people[1] ?? {}, { name: 'Thomas Reyes', role: 'admin' });
  const { customers, problems } = await runImport();
  expect(customers.map(({ state, changed_people }) => [state, changed_people])).toEqual([
    ['changed', 1],
    ['left out', 0],
    ['unchanged', 0],
  ]);
  expect(problems.map(({ column }) => column).toSorted()).toEqual(['created_at', 'files', 'title']);
  await joinBakery();
  Object.assign(tables.customers[0] ?? {}, { name: 'Renamed again' });
  Object.assign(tables.people[0] ?? {}, { name: 'Ada again' });
  const joined = (await runImport()).problems;
  for (const named of ['customers.csv', 'people.csv'])
    expect(joined).toContainEqual(expect.objectContaining({ file: named, column: 'name' }));
});

test('no task, figure, report or metric knows of imported jobs', async () => {
  const figures = '/api/operator/v1/figures?period_start=2021-03-01T00:00:00Z&period_end=2021-03-31T00:00:00Z';
  const rows = figures.replace('figures', 'reports');
  const read = async (path: string) => (await service.call('GET', path, { as: studio.operator.token })).body;
  await runImport();
  const before = await rowsOf(['jobs', 'people', 'imported_people', 'job_outcomes', ...untouched]);
  const config = { ...service.context.config, retainEventsMonths: 1, retainAuditMonths: 1 };
  for (const name of [
    'deleteExpiredFiles',
    'deleteUnverifiedPeople',
    'deleteOldHistories',
    'autoApproveJobs',
    'storeAlerts',
    'storeNewAlerts',
    'tellOfApprovals',
    'queueDigests',
    'storeDayFigures',
  ])
    await scheduledTasks[name]?.run({ ...service.context, config }, new AbortController().signal);
  expect(await rowsOf(['jobs', 'people', 'imported_people', 'job_outcomes', ...untouched])).toEqual(before);
  const gone = await sql`select from files where status <> 'uploaded'`.execute(service.context.db);
  expect(gone.rows, 'files are kept from the import on').toEqual([]);
  expect((await read(figures)).figures.total).toMatchObject({ created: 0, delivered: 0 });
  expect((await read(rows.replace('reports', 'reports/total'))).report.total).toMatchObject({ jobs: 0 });
  expect((await read(`${rows}&per=customer`)).report_rows).toEqual([]);
  const { rows: days } = await sql`select from stored_days where day < '2022-01-01'`.execute(service.context.db);
  expect(days).toEqual([]);
});

test('an invited person joins, reads and downloads the past jobs, and can neither write about them nor change them', async () => {
  await runImport();
  const { as } = await joinBakery();
  const { body: list } = await service.call('GET', '/api/v1/jobs?limit=100', { as });
  expect(list.jobs).toHaveLength(20);
  expect(
    list.jobs.every(
      ({ imported_at, allowed_actions }: { imported_at: string; allowed_actions: [] }) =>
        imported_at && allowed_actions.length === 0,
    ),
  ).toBe(true);
  const done = list.jobs.find(({ status }: { status: string }) => status === 'completed');
  const { body: read } = await service.call('GET', `/api/v1/jobs/${done.id}`, { as });
  expect(read.job.deliveries).toMatchObject([{ round: 0, message: 'Here you are.' }]);
  const [first] = read.job.deliveries[0].file_ids;
  expect((await bytesOf(await download(service, as, first))).subarray(0, 4).toString()).toBe('%PDF');
  expect((await service.call('GET', `/api/v1/jobs/${done.id}/events`, { as })).body.events).toEqual([]);
  const { body: library } = await service.call('GET', '/api/v1/library', { as });
  expect(library.jobs.length).toBeGreaterThan(0);
  for (const [path, body] of [
    ['messages', { text: 'One more thing.' }],
    ['revision', { customer_instructions: 'Rounder.' }],
    ['approve', {}],
  ] as const) {
    const refused = await post(service, as, `/api/v1/jobs/${done.id}/${path}`, body);
    expect([path, refused.status >= 400 && refused.status < 500]).toEqual([path, true]);
  }
  const { db } = service.context;
  await sql`update jobs set status_changed_at = now() where imported_at is not null`.execute(db);
  await sql`update job_outcomes set ended_at = now() where imported_at is not null`.execute(db);
  const late = await post(service, as, `/api/v1/jobs/${done.id}/messages`, { text: 'One more thing.' });
  expect([late.status, late.body.error.message]).toEqual([409, 'The job was imported and takes no messages.']);
  const said = await post(service, studio.operator.token, `/api/operator/v1/jobs/${done.id}/messages`, {
    text: 'Hello.',
  });
  expect(said.status).toBe(409);
  const wish = {
    job_id: done.id,
    purpose: 'job_reference',
    content_type: 'application/pdf',
    size_bytes: 9,
    file_name: 'a.pdf',
  };
  expect((await post(service, as, '/api/v1/files/presign', wish)).status).toBe(422);
  expect((await checkDatabase(db)).contradictions).toEqual([]);
});

test('an address of somebody who has an account already gives nobody their account', async () => {
  const mallory = await signUp(service, 'Mallory');
  Object.assign(tables.people[0] ?? {}, { email: mallory.email });
  expect((await runImport()).problems).toEqual([]);
  const { body } = await service.call('GET', '/api/auth/accounts', { as: mallory.token });
  expect(body.accounts).toHaveLength(1);
  expect(
    await service.context.db.selectFrom('people').select('name').where('email', '=', mallory.email).execute(),
  ).toEqual([{ name: 'Mallory' }]);
});

test('a customer who closed their account, and a person who was deleted, are not imported again', async () => {
  await runImport();
  const { as, accountId } = await joinBakery();
  expect((await service.call('POST', '/api/auth/account/close', { as, body: { password: goodPassword } })).status).toBe(
    200,
  );
  const lin = await joinCustomer(1, 3);
  const gone = await service.call('POST', '/api/auth/delete', { as: lin.as, body: { password: goodPassword } });
  expect(gone.status).toBe(200);
  const { db } = service.context;
  const before = await rowsOf(written);
  expect(states(await runImport())).toEqual(['unchanged', 'unchanged', 'unchanged']);
  expect(await rowsOf(written)).toEqual(before);
  const people = await sql`select from imported_people where account_id = ${accountId}`.execute(db);
  const words = await sql`select from imported_rows where account_id = ${accountId} and columns is not null`.execute(
    db,
  );
  expect([people.rows, words.rows]).toEqual([[], []]);
  const digests = await sql`
    select from imported_rows where account_id = ${lin.accountId} and kind = 'person' and columns is not null`.execute(
    db,
  );
  expect(digests.rows, 'nothing but the digest of the id of who was deleted').toHaveLength(1);
});
