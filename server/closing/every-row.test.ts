import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { addMember, endPlans, makeOperator, newSession, signUp, type TestPerson } from '../../test/support/people.ts';
import { marker, writeRows } from '../../test/support/schema-rows.ts';
import { showId } from '../lib/id.ts';
import { scheduledTasks } from '../scheduled-tasks.ts';

/**
 * Whatever erases meets rows with every status and with every column both null and filled, as far as the CHECKs
 * allow. The rows are made from the schema, so no new table, column, status or CHECK is left out.
 */
let service: Service;
let constraints: Map<string, string>;
// Of its own: it writes rows that no verb writes, and looks for their words in every table.
beforeAll(async () => {
  service = await createService();
  const { rows } = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint`.execute(service.context.db);
  constraints = new Map(rows.map(({ name, definition }) => [name, definition]));
});
afterAll(() => service.close());

/** What Postgres refused since the test began. */
let refused: string[];
beforeEach(() => {
  refused = [];
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const result = original.apply(this, args);
    if (result instanceof Promise)
      result.catch(({ message, constraint = '' }: pg.DatabaseError) =>
        refused.push(`${message}: ${constraints.get(constraint)}`),
      );
    return result as never;
  });
});

async function fill(people: readonly TestPerson[], ...without: string[]): Promise<void> {
  const { db } = service.context;
  // Of these, signing up wrote the one row that each has.
  await writeRows(db, people, ['members', 'account_counters', 'people', ...without]);
  await sql`
    update account_counters c set last_event = 1000000, active_jobs = (select count(*) from jobs j
      where j.account_id = c.account_id and j.status not in ('completed', 'rejected', 'canceled'))`.execute(db);
}

const fourOf = (make: () => Promise<TestPerson>) => Promise.all([make(), make(), make(), make()]);

async function expectDone(path: string, as: TestPerson, method = 'POST'): Promise<void> {
  const body = method === 'POST' ? { body: { password: as.password } } : {};
  const { status } = await service.call(method, path, { as: as.token, ...body });
  expect({ path, status, refused }).toEqual({ path, status: 200, refused: [] });
}

async function columnsWithMarker(): Promise<string[]> {
  const { db } = service.context;
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1, 2`.execute(db);
  const holding: string[] = [];
  for (const { table, column } of rows) {
    const found = await sql`
      select from ${sql.table(table)} where ${sql.ref(column)}::text like ${`%${marker}%`} limit 1`.execute(db);
    if (found.rows.length > 0) holding.push(`${table}.${column}`);
  }
  return holding;
}

/** Words of the catalog, the provider, the service and the studio; rows of nobody; columns that nothing writes. */
const staying = [
  /^(?:entitlements|subscriptions|checkouts|provider_\w+|usage_\w+)\./,
  /^(?:jobs|job_outcomes|quota_adjustments)\.(?:checklist|plan_code|reason_code|service_family|service_type|unit)$/,
  /^(?:events|audit_log|macros|saved_views|worker_keys|operator_\w+|oauth_\w+|mails)\./,
  /^(?:files\.(?:content_type|etag)|job_comments\.at|api_keys\.app_client_id)$/,
  /^accounts\.(?:slug|logo|metadata)$/,
];

test('an account is closed and its last owner deleted, whatever their rows hold, and no text stays', async () => {
  const people = await fourOf(() => signUp(service));
  await fill(people);
  for (const person of people) await endPlans(service, person);
  await sql`
    update jobs set status = 'completed', review_due_at = null
    where status = 'ready_for_customer_review'`.execute(service.context.db);
  for (const person of people) await expectDone('/api/auth/account/close', person);
  for (const person of people) await expectDone('/api/auth/delete', person);
  const left = await columnsWithMarker();
  expect(left.filter((column) => !staying.some((columns) => columns.test(column)))).toEqual([]);
  expect(left).toContain('jobs.reason_code');
});

test('a member of an account that goes on is deleted, whatever its rows hold', async () => {
  const people = await fourOf(async () => addMember(service, await signUp(service), 'member'));
  await fill(people);
  for (const person of people) await expectDone('/api/auth/delete', person);
});

test('an operator is removed and then deleted, whatever the rows of accounts hold', async () => {
  const owner = await makeOperator(service);
  const people = await fourOf(async () => {
    const { accountId } = await signUp(service);
    return { ...(await makeOperator(service)), accountId };
  });
  // They belong to none of the accounts, so they can have no calendar of one.
  await fill(people, 'calendars');
  for (const person of people) {
    await expectDone(`/api/operator/v1/operators/${showId('user', person.userId)}`, owner, 'DELETE');
    await expectDone('/api/auth/delete', await newSession(service, person));
  }
});

test('what is deleted by age is deleted, whatever it holds', async () => {
  await fill(await fourOf(() => signUp(service)));
  const { context } = service;
  const config = { ...context.config, retainEventsMonths: 1, retainAuditMonths: 1 };
  const erasing = Object.entries(scheduledTasks).filter(([name]) => /^(?:delete|forget)/.test(name));
  expect(erasing.length).toBeGreaterThan(10);
  for (const [name, { run }] of erasing) {
    await run({ ...context, config }, new AbortController().signal);
    expect({ name, refused }).toEqual({ name, refused: [] });
  }
});
