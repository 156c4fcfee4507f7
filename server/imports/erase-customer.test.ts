import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createImportingStudio, importInto, joinImported } from '../../test/support/imports.ts';
import { pastWork, type Tables, writeFolder } from '../../test/support/past-work.ts';
import { post, type Studio } from '../../test/support/jobs.ts';
import { goodPassword, signUp } from '../../test/support/people.ts';
import { insertPlan } from '../../test/support/seed.ts';
import { eraseCustomer } from './erase-customer.ts';

let studio: Studio;
let folder: string;
let tables: Tables;
beforeAll(async () => void (studio = await createImportingStudio()));
afterAll(() => studio.service.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-erase-'));
  tables = pastWork();
});
afterEach(() => rmSync(folder, { recursive: true }));

async function newCustomer(index: number) {
  writeFolder(folder, tables);
  expect((await importInto(studio.service, folder)).problems).toEqual([]);
  const { external_id = '', name = '' } = tables.customers[index] ?? {};
  const row = studio.service.context.db.selectFrom('accounts').select('id').where('name', '=', name);
  const accountId = (await row.executeTakeFirstOrThrow()).id;
  const files = studio.service.context.db.selectFrom('files').select('object_key');
  return { external_id, accountId, files: await files.where('account_id', '=', accountId).execute() };
}

async function expectErased({ accountId, files }: { accountId: string; files: { object_key: string | null }[] }) {
  const { db, storage } = studio.service.context;
  const { rows } = await sql<{ words: string }>`
    select concat_ws(' ', (select name from accounts where id = ${accountId}),
      (select string_agg(customer_title, '') from jobs where account_id = ${accountId}),
      (select string_agg(file_name, '') from files where account_id = ${accountId}),
      (select string_agg(email, '') from imported_people where account_id = ${accountId}),
      (select string_agg(u.name, '') from people u join imported_rows r on r.row_id = u.id
        where r.account_id = ${accountId} and r.kind = 'person')) as words`.execute(db);
  expect(rows[0]?.words).not.toMatch(/Client|Past|final|customer\.example|Reyes| of /);
  expect(rows[0]?.words).toContain('Deleted person');
  expect(files.length).toBeGreaterThan(0);
  for (const { object_key } of files) expect(await storage.measure(object_key ?? '')).toBeNull();
}

const erase = (externalId: string) => eraseCustomer(studio.service.context, externalId);

test('a customer whom nobody has joined is erased, with their bytes, and is not imported again', async () => {
  const customer = await newCustomer(0);
  await erase(customer.external_id);
  await expectErased(customer);
  const { customers } = await importInto(studio.service, folder);
  expect(customers.map(({ state }) => state)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  await expect(erase(customer.external_id)).rejects.toThrow('The account is closed and erased.');
  const { rows } = await sql`
    select from audit_log where action = 'account.closed' and account_id = ${customer.accountId}`.execute(
    studio.service.context.db,
  );
  expect(rows).toHaveLength(1);
});

test('a customer with a member, and one of no import, are refused', async () => {
  const { external_id, accountId } = await newCustomer(0);
  await joinImported(studio, accountId, tables.people[0]?.email ?? '');
  await expect(erase(external_id)).rejects.toThrow('The customer has members.');
  await expect(erase('nobody')).rejects.toThrow('No import had a customer "nobody".');
});

test('a customer with a plan is refused', async () => {
  const { external_id, accountId } = await newCustomer(0);
  const plan = { access_kind: 'human', status: 'active', quota: 1, concurrency_limit: 1, endsIn: 60 } as const;
  await insertPlan(studio.service.context.db, accountId, 'studio', plan);
  await expect(erase(external_id)).rejects.toThrow('The account has open jobs or a plan.');
});

test('the account of the only imported person is erased with them', async () => {
  const bo = await signUp(studio.service, 'Bo');
  Object.assign(tables.people[4] ?? {}, { email: bo.email });
  const customer = await newCustomer(2);
  expect((await post(studio.service, bo.token, '/api/auth/delete', { password: goodPassword })).status).toBe(200);
  await expectErased(customer);
});
