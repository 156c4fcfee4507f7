import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import { scheduledTasks } from '../../server/scheduled-tasks.ts';
import { claimDeliveries } from '../../server/webhooks/claim-deliveries.ts';
import { queueDeliveries } from '../../server/webhooks/queue-deliveries.ts';
import { recordAttempts } from '../../server/webhooks/record-attempts.ts';
import { ask, createWorld, pathFor, prefixOf, type World } from '../support/every-endpoint.ts';
import { setPlan } from '../support/jobs.ts';
import { faultsOf } from '../support/portable-sql.ts';
import { type Recorded, recordStatements } from '../support/recorded-statements.ts';
import { byNature, remembered } from '../support/scenes.ts';
import { isRaw } from '../support/swept.ts';

/**
 * Tables that are looked up without an account. All others hold data of accounts: their keys begin with the account, so
 * that a store that shards by key can keep an account in one place.
 */
const directory = [
  'public.accounts',
  'public.api_keys',
  'public.audit_log', // what the studio does belongs to no account
  'public.caller_idempotency_keys',
  'public.catalog_files',
  'public.catalog_versions',
  'public.credentials',
  'public.day_figures', // figures of the studio
  'public.calendars', // the token of an address names no account
  'public.imported_people', // an address names no account
  'public.imported_rows', // an external id names no account
  'public.installation',
  'public.invitations',
  'public.kysely_migration',
  'public.kysely_migration_lock',
  'public.macros',
  'public.mail_tokens',
  'public.mails', // one queue; some mails belong to a person or an address and to no account
  'public.examinations',
  'public.members',
  'public.migration_checksums',
  'public.notification_choices',
  'public.notifications', // of a person; some are about no account
  'public.oauth_access_tokens', // a token names no account
  'public.oauth_clients',
  'public.oauth_consents',
  'public.oauth_device_codes',
  'public.oauth_refresh_tokens',
  'public.oauth_resources',
  'public.operator_invitations',
  'public.operator_settings',
  'public.people',
  'public.plan_prices',
  'public.provider_customers',
  'public.provider_event_reviews',
  'public.provider_events',
  'public.provider_payments', // a dispute of an unknown customer is of no account
  'public.review_links', // the token of a guest names no account
  'public.saved_views',
  'public.sessions',
  'public.state_figures',
  'public.stored_days',
  'public.subscriptions',
  'public.task_runs',
  'public.two_factors',
  'public.upload_pages', // the token of a page names no account
  'public.verifications',
  'public.webhook_signatures',
  'public.worker_keys',
];

let world: World;
let tables: Set<string>;
let recorded: Recorded[];

beforeAll(async () => {
  world = await createWorld();
  await setPlan(world.service, world.ada, 'studio', { quota: 10_000, concurrency_limit: 10_000 });
  tables = await tablesOfAccounts();
  recorded = await recordStatements(async () => {
    for (const endpoint of inOrder) await callOnce(endpoint);
    await runTasks();
  });
}, 600_000);
afterAll(() => world.service.close());

const sceneOf = ({ operationId }: Endpoint) => remembered[operationId] ?? byNature[operationId];
/** Readings and scenes first: what is left may end the session of whoever calls it. */
const inOrder = endpoints.toSorted((a, b) => rankOf(a) - rankOf(b));
function rankOf(endpoint: Endpoint): number {
  if (endpoint.method === 'GET') return 0;
  return sceneOf(endpoint) ? 1 : endpoint.operationId === 'signOut' ? 3 : 2;
}

/** With a request that succeeds, where there is a scene for it. */
async function callOnce(endpoint: Endpoint): Promise<void> {
  if (isRaw(endpoint)) return;
  const scene = sceneOf(endpoint)?.(world);
  if (!scene) return void (await ask(world, endpoint, { id: world.ids[prefixOf(endpoint) ?? ''] ?? '' }));
  const { as, id, more, body } = await scene;
  await world.service.call(endpoint.method, pathFor(endpoint, id, more), {
    as,
    headers: { 'idempotency-key': randomUUID() },
    ...(body ? { body } : {}),
  });
}

/** The views of accounts' rows too. */
async function tablesOfAccounts(): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where c.relnamespace = 'public'::regnamespace and (c.relkind = 'v' or a.attname = 'account_id')`.execute(
    world.service.context.db,
  );
  return new Set(rows.map(({ name }) => name));
}

/** With something to do for each. */
async function runTasks(): Promise<void> {
  const { context } = world.service;
  const old = sql`now() - interval '400 days'`;
  for (const change of [
    sql`update idempotency_keys set created_at = ${old}`,
    sql`update caller_idempotency_keys set created_at = ${old}`,
    sql`update files set created_at = ${old}, uploaded_at = case when uploaded_at is not null then ${old} end`,
    sql`update jobs set status_changed_at = ${old},
      lease_expires_at = case when lease_expires_at is not null then now() end,
      review_due_at = case when review_due_at is not null then now() end`,
    sql`update events set created_at = ${old} where job_id is null`,
    sql`update webhook_endpoints set failing_since = ${old}, created_at = ${old}, last_success_at = null`,
    sql`update webhook_deliveries set id = uuidv7(interval '-400 days'), done_at = ${old}, outcome = 'dead'`,
    sql`update people set created_at = ${old}`,
  ])
    await change.execute(context.db);
  await sql`update webhook_endpoints set cursor = 0`.execute(context.db);
  await queueDeliveries(context.db, null);
  const claimed = await claimDeliveries(context.db, 64, new Map());
  const attempt = { status: 500, error: null, ms: 1, answer: null, retryAfter: null };
  await recordAttempts(
    context.db,
    claimed.map((delivery) => ({ delivery, attempt })),
  );
  for (const { run } of Object.values(scheduledTasks)) await run(context, new AbortController().signal);
}

const relation = (oid: string) =>
  sql.raw<string>(`(select n.nspname || '.' || t.relname from pg_class t join pg_namespace n on n.oid = t.relnamespace
    where t.oid = ${oid})`);
const columns = (table: string, numbers: string) =>
  sql.raw<
    string[]
  >(`(select array_agg(a.attname::text order by k.at) from unnest(${numbers}) with ordinality k (number, at)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number)`);

async function allTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select ${relation('c.oid')} as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
    order by 1`.execute(world.service.context.db);
  return rows.map(({ name }) => name);
}

/** Primary keys and unique indexes. */
async function uniqueKeys() {
  const { rows } = await sql<{ table: string; primary: boolean; columns: string[] }>`
    select ${relation('i.indrelid')} as table, i.indisprimary as primary, ${columns('i.indrelid', 'i.indkey')} as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relnamespace = 'public'::regnamespace`.execute(world.service.context.db);
  return rows;
}

async function foreignKeys() {
  const { rows } = await sql<{ table: string; target: string; columns: string[]; referenced: string[] }>`
    select ${relation('f.conrelid')} as table, ${relation('f.confrelid')} as target,
      ${columns('f.conrelid', 'f.conkey')} as columns, ${columns('f.confrelid', 'f.confkey')} as referenced
    from pg_constraint f
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace`.execute(world.service.context.db);
  return rows;
}

const isDirectory = (table: string) => directory.includes(table);

describe('tables of account data', () => {
  test('the directory names tables that exist', async () => {
    expect(await allTables()).toEqual(expect.arrayContaining(directory));
  });

  test('each has a primary key that begins with the account, and the account in every unique key', async () => {
    const keyed = (await allTables()).filter((table) => !isDirectory(table));
    expect(keyed).toEqual(expect.arrayContaining(['public.jobs', 'public.files', 'public.usage_ledger']));
    const keys = await uniqueKeys();
    const primary = new Map(keys.filter((key) => key.primary).map((key) => [key.table, key.columns[0]]));
    expect(keyed.filter((table) => primary.get(table) !== 'account_id')).toEqual([]);
    expect(keys.filter((key) => !isDirectory(key.table) && !key.columns.includes('account_id'))).toEqual([]);
  });

  test('refer to each other by account, and nothing of the directory refers to them', async () => {
    const keys = (await foreignKeys()).filter(({ target }) => !isDirectory(target));
    expect(keys).toContainEqual(
      expect.objectContaining({ table: 'public.files', target: 'public.jobs', columns: ['account_id', 'job_id'] }),
    );
    const wrong = keys.filter(
      ({ table, columns, referenced }) =>
        isDirectory(table) || columns[0] !== 'account_id' || referenced[0] !== 'account_id',
    );
    expect(wrong).toEqual([]);
  });
});

/** Files whose statements ask many accounts at once, and why. */
const readsMany: Record<string, string> = {
  'audit/audit-entry.ts': 'the audit of the studio',
  'audit/show-entries.ts': 'the audit of the studio',
  'billing/catch-up-subscriptions.ts': 'candidates of a task',
  'billing/end-replaced-checkouts.ts': 'candidates of a task',
  'desk/queue/claim-job.ts': 'the queue is one for all accounts',
  'desk/accounts/desk-account.ts': 'the list of accounts',
  'desk/queue/desk-file.ts': 'the desk knows only the id of a file',
  'desk/queue/desk-job.ts': 'the desk knows only the id of a job',
  'desk/queue/desk-thread.ts': 'the desk knows only the id of a job',
  'desk/queue/list-queue.ts': 'a list of the desk',
  'desk/figures/list-report-rows.ts': 'figures of the studio',
  'desk/operators/operator.ts': 'what an operator holds',
  'desk/figures/plans-of-month.ts': 'figures of the studio',
  'desk/queue/queue-counts.ts': 'figures of the studio',
  'desk/queue/index-jobs.ts': 'new jobs of all accounts, for a task',
  'desk/queue/read-alerts.ts': 'alerts of the desk',
  'desk/queue/store-unheld-due.ts': 'a count of the desk',
  'desk/figures/read-figures.ts': 'figures of the studio',
  'desk/figures/read-report.ts': 'figures of the studio',
  'desk/queue/stream-queue.ts': 'the stream of the desk',
  'desk/figures/troubled-accounts.ts': 'figures of the studio',
  'desk/queue/view-job.ts': 'what an operator looks at',
  'desk/queue/viewers.ts': 'what operators look at',
  'events/event.ts': 'readers of one tick share a statement',
  'events/hub.ts': 'readers of one tick share a statement',
  'events/unlogged-changes.ts': 'readers of one tick share a statement',
  'files/delete-expired-files.ts': 'candidates of a task',
  'files/file.ts': 'keys of the storage name no account',
  'files/local-routes.ts': 'a signed address names no account',
  'files/make-posters.ts': 'candidates of a task',
  'jobs/admission-queue.ts': 'drafts of one tick share a statement',
  'jobs/job-page.ts': 'readers of one tick share a statement',
  'jobs/job.ts': 'readers of one tick share a statement',
  'jobs/move-due-jobs.ts': 'candidates of a task',
  'probes/count-state.ts': 'figures of the studio',
  'mail/notification-mail.ts': 'what a person was told of any account',
  'notifications/list-notifications.ts': 'what a person was told of any account',
  'people/export-person.ts': 'what a person wrote in any account',
  'people/words-of-person.ts': 'what a person wrote in any account',
  'talk/thread.ts': 'what the desk has not read',
  'webhooks/claim-deliveries.ts': 'deliveries of all accounts share a statement',
  'webhooks/queue-deliveries.ts': 'deliveries of all accounts share a statement',
  'webhooks/record-attempts.ts': 'attempts of all accounts share a statement',
};

/** These change or lock rows of many accounts in one statement. */
const changesMany: Record<string, string> = {
  'desk/queue/claim-job.ts': 'one queue: the first job that nobody has locked',
  'desk/queue/index-jobs.ts': 'words of new jobs of all accounts',
  'jobs/admission-queue.ts': 'drafts of one tick are admitted by one statement, in order of the accounts',
  'webhooks/claim-deliveries.ts': 'deliveries of all accounts share a statement, which skips locked ones',
  'webhooks/queue-deliveries.ts': 'endpoints of all accounts share a statement, which skips locked ones',
  'webhooks/record-attempts.ts': 'attempts of all accounts share a statement, in order of the endpoints',
};

test('the sweep records most of the service', () => {
  expect(recorded.length).toBeGreaterThan(300);
  expect(new Set(recorded.map(({ file }) => file)).size).toBeGreaterThan(150);
  expect([...tables]).toEqual(expect.arrayContaining(['jobs', 'usage_ledger', 'visible_files']));
});

test('each statement could run where every account has a place of its own', () => {
  const broken = recorded.flatMap(({ text, file }) =>
    faultsOf(text, tables)
      .filter((fault) => !isException(file, fault))
      .map((fault) => `${file} ${fault}: ${text}`),
  );
  expect(broken).toEqual([]);
});

test('each exception is needed', () => {
  const met = recorded.flatMap(({ text, file }) => faultsOf(text, tables).map((fault) => ({ file, fault })));
  const needed = (change: boolean) =>
    [...new Set(met.filter(({ fault }) => fault.startsWith('reads') !== change).map(({ file }) => file))].toSorted();
  expect(needed(false)).toEqual(Object.keys(readsMany).toSorted());
  expect(needed(true)).toEqual(Object.keys(changesMany).toSorted());
});

function isException(file: string, fault: string): boolean {
  if (!fault.endsWith('of many accounts')) return false;
  return file in (fault.startsWith('reads') ? readsMany : changesMany);
}

describe('the rules', () => {
  test.each([
    [
      'update jobs set lease_token = gen_random_uuid() where account_id = $1',
      'assigns what a volatile function returns',
    ],
    ['update people set codes = (array[$1] || codes)[1:3] where id = $2', 'assigns a slice of an array'],
    ['insert into keys (id) values ($1) on conflict (id) do update set at = now()', 'has now() after DO UPDATE'],
    ['insert into keys (id, n) values ($1, (select max(n) from other))', 'has a query in VALUES or after DO UPDATE'],
    ['update other set n = 1 where (a, b) = (select a, b from other limit $1)', 'compares a row with a query'],
    ['delete from other where (a, b) in (select a, b from other limit $1)', 'compares a row with a query'],
    ['update other set at = coalesce(at, now()) where id = $1', 'has now() in CASE, COALESCE or RETURNING of a change'],
    ['update usage_ledger set quantity = 2 where account_id = $1', 'changes rows that are never changed'],
    ['update quota_adjustments set quantity = 2 where account_id = $1', 'changes rows that are never changed'],
    ['select * from jobs where id = $1 for update', 'locks jobs of many accounts'],
    ['update "jobs" set "status" = $1 where "id" = $2', 'changes jobs of many accounts'],
    [
      'select (select max(e.seq) from events e where e.account_id = j.account_id) from jobs j where j.account_id = $1',
      'reads events of many accounts',
    ],
    [
      'with a as (select * from jobs) select * from a join events e on e.account_id = $1',
      'reads jobs of many accounts',
    ],
  ])('%s', (text, fault) => {
    expect(faultsOf(text, tables)).toEqual([fault]);
  });

  test.each([
    'update jobs set lease_token = $1 where account_id = $2 and id = $3',
    'select date_trunc($1, clock_timestamp())',
    'insert into keys (id) values ($1) on conflict (id) do update set at = excluded.at where excluded.at > keys.at',
    "update quota_adjustments set reason = 'x' where account_id = $1",
    'select * from jobs j join events e on e.account_id = $1 and e.job_id = j.id where j.account_id = $2 for update of j',
    'select coalesce(at, now()) from other where tags = $1::text[]',
  ])('%s is allowed', (text) => {
    expect(faultsOf(text, tables)).toEqual([]);
  });
});
