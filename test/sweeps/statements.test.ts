import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDb, type Db } from '../../server/db/pool.ts';
import { showId } from '../../server/lib/id.ts';
import { claimDeliveries } from '../../server/webhooks/claim-deliveries.ts';
import { countState } from '../../server/probes/count-state.ts';
import { recordAttempts } from '../../server/webhooks/record-attempts.ts';
import { createJob, createStudio, type Studio, uuidOf } from '../support/jobs.ts';
import { makeWorker } from '../support/workers.ts';

/**
 * What an operation asks of the database, and how Postgres answers it: figures that do not depend on the machine. Each
 * statement is planned once per connection, for whatever values and however large its tables become, so its plan must go by
 * index on empty tables, on small ones and on large ones alike.
 */
let studio: Studio;
let worker: string;
let jobId: string;
let keyId: string;
let db: Db;
beforeAll(async () => {
  studio = await createStudio();
  db = createDb(studio.service.databaseUrl, 1, () => {}, { patient: true });
  worker = await makeWorker(studio);
  jobId = (await createJob(studio.service, studio.key)).body.job.id;
  for (let n = 0; n < 3; n++) await createJob(studio.service, studio.key);
  const { body } = await studio.service.call('GET', '/api/v1/api-keys', { as: studio.ada.token });
  keyId = body.api_keys[0].id;
  // From now on both keys were used just now, which is noted once a minute.
  await studio.service.call('GET', '/api/v1/me', { as: studio.key });
  await studio.service.call('POST', '/api/operator/v1/jobs/claim', {
    as: worker,
    body: { service_families: ['none'] },
  });
});
afterAll(async () => {
  await db.destroy();
  await studio.service.close();
});

const atDesk = (path: string) => studio.service.call('GET', `/api/operator/v1${path}`, { as: studio.operator.token });

type Run = () => Promise<{ status: number } | { length: number } | void>;

const operations: Record<string, { statements: number; run: Run }> = {
  createJob: { statements: 2, run: () => createJob(studio.service, studio.key, {}, crypto.randomUUID()) },
  readJob: { statements: 2, run: () => studio.service.call('GET', `/api/v1/jobs/${jobId}`, { as: studio.key }) },
  listJobs: { statements: 2, run: () => studio.service.call('GET', '/api/v1/jobs?limit=25', { as: studio.key }) },
  listJobsWithWork: {
    statements: 3,
    run: () => studio.service.call('GET', '/api/v1/jobs?limit=25&include=work', { as: studio.key }),
  },
  listLibrary: { statements: 3, run: () => studio.service.call('GET', '/api/v1/library?limit=24', { as: studio.key }) },
  countLibrary: { statements: 2, run: () => studio.service.call('GET', '/api/v1/library/counts', { as: studio.key }) },
  listChangedJobs: {
    statements: 2,
    run: () => studio.service.call('GET', `/api/v1/jobs?updated_after=2026-01-01T00:00:00Z`, { as: studio.key }),
  },
  listMessages: {
    statements: 3,
    run: () => studio.service.call('GET', `/api/v1/jobs/${jobId}/messages`, { as: studio.key }),
  },
  countUnread: {
    statements: 2,
    run: () => studio.service.call('GET', '/api/v1/messages/unread', { as: studio.ada.token }),
  },
  countDeskUnread: {
    statements: 2,
    run: () => studio.service.call('GET', '/api/operator/v1/messages/unread', { as: studio.operator.token }),
  },
  readAlerts: { statements: 4, run: () => atDesk('/alerts?raised_after=2026-01-01T00:00:00Z') },
  countDeskQueue: { statements: 2, run: () => atDesk('/jobs/counts') },
  listToDo: { statements: 2, run: () => atDesk('/jobs?status=queued,accepted,running&parked=false&sort=due') },
  listInReview: { statements: 2, run: () => atDesk('/jobs?status=needs_review&sort=due') },
  listWithCustomer: { statements: 2, run: () => atDesk('/jobs?status=ready_for_customer_review') },
  listWaiting: { statements: 2, run: () => atDesk('/jobs?waiting_on=customer') },
  listParked: { statements: 2, run: () => atDesk('/jobs?parked=true&sort=due') },
  listOverdue: { statements: 2, run: () => atDesk('/jobs?overdue=true&sort=due') },
  listMine: { statements: 2, run: () => atDesk('/jobs?holder=me&sort=due') },
  listHeldByWorkers: { statements: 2, run: () => atDesk('/jobs?holder=worker') },
  listAllJobs: { statements: 2, run: () => atDesk('/jobs?sort=newest') },
  listAllOfFamily: { statements: 2, run: () => atDesk('/jobs?sort=newest&service_family=data') },
  listJobsById: { statements: 2, run: () => atDesk(`/jobs?id=${jobId}`) },
  searchId: { statements: 2, run: () => atDesk(`/jobs?q=${jobId}`) },
  auditOfJob: { statements: 4, run: () => atDesk(`/audit?subject=${jobId}`) },
  auditOfRequest: { statements: 3, run: () => atDesk('/audit?request_id=req_x') },
  auditOfAction: { statements: 3, run: () => atDesk('/audit?action=webhook_endpoint.disabled') },
  auditOfWorkers: { statements: 3, run: () => atDesk('/audit?actor=worker') },
  auditOfKey: { statements: 4, run: () => atDesk(`/audit?created_by=${keyId}`) },
  auditOfPerson: { statements: 3, run: () => atDesk(`/audit?created_by=${showId('user', studio.operator.userId)}`) },
  reportPerOption: { statements: 3, run: () => atDesk('/reports') },
  reportPerCustomer: { statements: 3, run: () => atDesk('/reports?per=customer') },
  reportPerOperator: { statements: 3, run: () => atDesk('/reports?per=operator') },
  reportPerWorker: { statements: 3, run: () => atDesk('/reports?per=worker') },
  readReport: { statements: 4, run: () => atDesk('/reports/total') },
  listOperators: { statements: 2, run: () => atDesk('/operators') },
  listOperatorInvitations: { statements: 2, run: () => atDesk('/operator-invitations') },
  listMacros: { statements: 2, run: () => atDesk('/macros') },
  listSavedViews: { statements: 2, run: () => atDesk('/saved-views') },
  listJobsOfDays: { statements: 2, run: () => atDesk('/jobs?sort=newest&ended_from=2026-11-01&ended_to=2026-11-30') },
  countListedJobs: { statements: 2, run: () => atDesk('/jobs/total?ended_from=2026-11-01&ended_to=2026-11-30') },
  listStudioApps: { statements: 2, run: () => atDesk('/apps') },
  listCatalogVersions: { statements: 2, run: () => atDesk('/catalog-versions') },
  readUsage: { statements: 2, run: () => studio.service.call('GET', '/api/v1/usage', { as: studio.key }) },
  listEvents: {
    statements: 3,
    run: () => studio.service.call('GET', '/api/v1/events?after=0', { as: studio.key }),
  },
  readCatalog: { statements: 0, run: () => studio.service.call('GET', '/api/v1/catalog') },
  claimJob: {
    statements: 10,
    run: () => studio.service.call('POST', '/api/operator/v1/jobs/claim', { as: worker, body: {} }),
  },
  countState: { statements: 1, run: async () => void (await countState(studio.service.context.db)) },
  // The engine sends them whether there is anything to deliver or not.
  claimDeliveries: { statements: 1, run: () => claimDeliveries(studio.service.context.db, 64, new Map()) },
  recordAttempts: { statements: 1, run: () => recordAttempts(studio.service.context.db, []) },
};

/** By which columns rows are looked up where another index of the same table would do, and read far more of them. */
const lookUps: Record<string, string[]> = {
  claimDeliveries: [
    'api_keys by id',
    'events by account_id, seq',
    'jobs by id',
    'people by id',
    'webhook_deliveries by account_id, endpoint_id',
    'webhook_deliveries by account_id, endpoint_id, due_at',
    'webhook_deliveries by account_id, endpoint_id, id',
    'webhook_deliveries by account_id, endpoint_id, job_id, seq',
    'webhook_endpoints by account_id, id',
    'webhook_secrets by account_id, endpoint_id',
  ],
  recordAttempts: [
    'webhook_deliveries by account_id, endpoint_id, id',
    'webhook_deliveries by account_id, endpoint_id, seq',
    'webhook_endpoints by account_id, id',
  ],
};

/** The statements with parameters that the service sends meanwhile, and how many there were of any kind. */
async function statementsOf(run: Run): Promise<{ count: number; texts: string[] }> {
  const sent: string[] = [];
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const answer = await run();
    if (answer && 'status' in answer) expect(answer.status).toBeLessThan(300);
    for (const [query] of spy.mock.calls as unknown as [string | { text: string }][]) {
      const text = typeof query === 'string' ? query : query.text;
      // Sent once per process and 10 ms, for all operations together.
      if (!text.includes('pg_notify')) sent.push(text);
    }
  } finally {
    spy.mockRestore();
  }
  return { count: sent.length, texts: sent.filter((text) => text.includes('$1')) };
}

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Plans?: Node[];
};

/** How each table that a statement reads is read. */
async function readsOf(text: string): Promise<(Node & { condition: string | undefined })[]> {
  const { rows } = await sql
    .raw<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (generic_plan, format json) ${text}`)
    .execute(planner);
  const nodes: Node[] = [];
  const walk = (node: Node) => {
    nodes.push(node);
    node.Plans?.forEach(walk);
  };
  rows.forEach((row) => row['QUERY PLAN'].forEach(({ Plan }) => walk(Plan)));
  return nodes
    .filter((node) => node['Node Type'].includes('Scan') && node['Relation Name'] !== undefined)
    .map((node) => ({ ...node, condition: node['Index Cond'] ?? node['Recheck Cond'] }));
}

/** Tables that are read other than by a condition on an index. */
const readWhole = async (text: string): Promise<string[]> =>
  (await readsOf(text))
    .filter(({ condition }) => condition === undefined)
    .map((node) => `${node['Relation Name']} by ${node['Index Name'] ?? 'nothing'}`);

/** Tables with the columns by which their rows are looked up. */
async function lookUpsOf(text: string): Promise<string[]> {
  const found = (await readsOf(text)).flatMap((node) => {
    // What stands before a comparison, alone or in a row of columns.
    const columns = node.condition?.match(/\b\w+(?=[\w, ]*\)? [<>=]+ )/g);
    return columns ? [`${node['Relation Name']} by ${columns.join(', ')}`] : [];
  });
  return [...new Set(found)].toSorted();
}

let planner: Db;
beforeAll(() => {
  planner = createDb(studio.service.databaseUrl, 1, () => {});
});
afterAll(() => planner.destroy());

const openJobs = ['jobs by jobs_open_by_due', 'jobs by jobs_by_status_and_due', 'jobs by jobs_created_at_id_idx1'];

/** Partial indexes of few jobs, read whole. */
const parts = ['parked', 'waiting_since_idx', 'operator_id_idx', 'worker_key_id_idx'].map(
  (name) => `jobs by jobs_${name}`,
);

const notedTime = ['account_id_job_id_idx', 'user_id_idx'].map((name) => `job_times by job_times_${name}`);

const expected: Record<string, string[]> = {
  // What a claim chooses from: the first in the order of its index, or while few jobs are open, all of those.
  claimJob: ['jobs by jobs_claimable', 'jobs by jobs_created_at_id_idx1'],
  // Partial indexes of the open jobs in the order of the list, read until a page is full, and counted whole.
  countDeskQueue: [...openJobs, ...parts],
  // All noted time is read at once, instead of a look-up for each of the many jobs of a year.
  reportPerOption: notedTime,
  reportPerCustomer: notedTime,
  reportPerOperator: notedTime,
  reportPerWorker: notedTime,
  readReport: notedTime,
  readAlerts: [...openJobs, ...parts],
  listToDo: openJobs,
  listInReview: openJobs,
  listWithCustomer: openJobs,
  listWaiting: [...openJobs, ...parts],
  listParked: [...openJobs, ...parts],
  listOverdue: openJobs,
  listMine: [...openJobs, ...parts],
  listHeldByWorkers: [...openJobs, ...parts],
  listAllJobs: ['jobs by jobs_created_at_id_idx'],
  listAllOfFamily: ['jobs by jobs_created_at_id_idx'],
  listOperators: ['people by people_created_at_id_idx', 'operator_settings by operator_settings_pkey', ...parts],
  listOperatorInvitations: ['operator_invitations by operator_invitations_created_at_id_idx'],
  listMacros: ['macros by macros_created_at_id_idx'],
  listSavedViews: ['saved_views by saved_views_created_at_id_idx'],
  // The second is the index of all grants, while there are none.
  listStudioApps: ['oauth_clients by oauth_clients_created_at_id_idx', 'api_keys by api_keys_created_by_idx1'],
  listCatalogVersions: ['catalog_versions by catalog_versions_pkey'],
  // Few rows each: open jobs, disabled endpoints, deliveries that wait, payments to look at.
  countState: [
    'jobs by jobs_claimable',
    ...openJobs,
    ...parts,
    'files by files_viewing_due_at_idx',
    'provider_events by provider_events_to_look_at',
    'unindexed_jobs by unindexed_jobs_queued_at_idx',
    'webhook_deliveries by webhook_deliveries_due',
    'webhook_endpoints by webhook_endpoints_disabled_reason_idx',
  ],
  // Few entries here are in the audit, so its newest are looked through.
  auditOfRequest: ['audit_log by audit_log_created_at_id_idx'],
  // The first endpoint for which something waits.
  claimDeliveries: ['webhook_deliveries by webhook_deliveries_due'],
};

const texts = new Map<string, string[]>();

test('a job is created and read without a statement for the audit: the event is the record', async () => {
  for (const name of ['createJob', 'readJob', 'listJobs'])
    expect((await statementsOf(operations[name]!.run)).texts.filter((text) => text.includes('audit_log'))).toEqual([]);
});

describe.each(Object.entries(operations))('%s', (name, { statements, run }) => {
  test('sends so many statements', async () => {
    const runs = [await statementsOf(run), await statementsOf(run), await statementsOf(run)];
    // Now and then something is sent that belongs to no request, such as what ends the streams of a revoked key.
    const least = runs.toSorted((a, b) => a.count - b.count)[0]!;
    texts.set(name, least.texts);
    expect(least.count, least.texts.join('\n')).toBe(statements);
  });
});

describe.each([
  ['new', 0],
  ['small', 100],
  ['large', 1_000_000],
])('on %s tables', (_, rows) => {
  beforeAll(() => fill(rows), 900_000);

  test.each(Object.keys(operations))('%s goes by index', async (name) => {
    for (const text of texts.get(name) ?? [])
      expect(
        (await readWhole(text)).filter((found) => !expected[name]?.includes(found)),
        text,
      ).toEqual([]);
  });

  test.each(Object.keys(lookUps))('%s looks up by whole keys', async (name) => {
    const [text = ''] = texts.get(name) ?? [];
    expect(await lookUpsOf(text), text).toEqual(lookUps[name]);
  });
});

test('claimJob takes the first of 200,000 free jobs in the order of its index, without a sort', async () => {
  await sql`
    insert into jobs (account_id, id, status, service_family, service_type, customer_title, customer_instructions,
      source, plan_code, created_by_user, quality_review, auto_approval_hours, revisions_included, due_at)
    select ${studio.ada.accountId}, uuidv7(), case when n % 100 = 0 then 'running' else 'queued' end, 'design', 'logo',
      'x', 'x', 'api', 'studio', ${studio.ada.userId}, true, 72, 2, now() + n * interval '1 s'
    from generate_series(1, 200000) n`.execute(db);
  await sql`analyze jobs`.execute(db);
  const text = texts.get('claimJob')?.find((one) => one.includes('skip locked')) ?? '';
  const { rows } = await sql
    .raw<{ 'QUERY PLAN': string }>(`explain (generic_plan, costs off) ${text}`)
    .execute(planner);
  const plan = rows.map((row) => row['QUERY PLAN']);
  expect(plan.join('\n')).toContain('Index Scan using jobs_claimable on jobs');
  expect(plan.filter((line) => line.includes('Sort'))).toEqual([]);
});

test('listJobs reads what changed of 200,000 jobs in the order of its index, without a sort of them', async () => {
  const text = texts.get('listChangedJobs')?.find((one) => one.includes('updated_at, id')) ?? '';
  const { rows } = await sql
    .raw<{ 'QUERY PLAN': string }>(`explain (generic_plan, costs off) ${text}`)
    .execute(planner);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Limit\s+->\s+Index Scan using jobs_account_id_updated_at_id_idx on jobs/);
  expect(plan).toMatch(/Index Cond: .*account_id = \$\d+.*ROW\(.*updated_at, .*id\) > /);
});

test('listLibrary reads a page of 100,000 finished jobs in the order of its index, and each job and its files by key', async () => {
  await sql`
    insert into job_outcomes (account_id, job_id, ended_at, status, service_family, service_type, due_deliveries,
      on_time_deliveries, revision_rounds)
    select account_id, id, created_at, 'completed', 'design', 'logo', 0, 0, 0 from jobs
    where account_id = ${studio.ada.accountId} limit 100000
    on conflict do nothing`.execute(db);
  await sql`analyze job_outcomes`.execute(db);
  const text = texts.get('listLibrary')?.find((one) => one.includes('job_outcomes o')) ?? '';
  const { rows } = await sql
    .raw<{ 'QUERY PLAN': string }>(`explain (generic_plan, costs off) ${text}`)
    .execute(planner);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(
    /Limit\s+->\s+Nested Loop\s+->\s+Index (?:Only )?Scan using job_outcomes_finished on job_outcomes/,
  );
  expect(plan.match(/Seq Scan/g)).toBeNull();
});

/** The tables that grow, with so many rows of one account more, and statistics that say so. */
async function fill(rows: number): Promise<void> {
  const references = await sql<{ drop: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop
    from pg_constraint where contype = 'f' and conrelid in ('jobs'::regclass, 'events'::regclass, 'usage_ledger'::regclass,
      'webhook_deliveries'::regclass)`.execute(db);
  for (const { drop } of references.rows) await sql.raw(drop).execute(db);
  if (rows === 0) return;
  const account = studio.ada.accountId;
  await sql`
    with person as (
      insert into people (id, name, email) select uuidv7(), 'x', uuidv7() || '@x.example'
      from generate_series(1, ${Math.min(rows, 2_000)}::int) returning id
    ),
    account as (insert into accounts (id, name, slug) select id, 'x', id from person returning id),
    counters as (insert into account_counters (account_id) select id from account)
    insert into members (account_id, user_id, role) select id, id, 'owner' from account`.execute(db);
  await sql`
    insert into api_keys (id, account_id, created_by, name, prefix, secret_sha256, scopes)
    select uuidv7(), m.account_id, m.user_id, 'x', substr(md5(m.account_id::text), 1, 8), sha256('x'), '{api:read}'
    from members m where not exists (select from api_keys k where k.account_id = m.account_id)`.execute(db);
  await sql`
    with registered as (
      insert into oauth_clients (client_id, name, redirect_uris, registered_by, updated_at)
      select uuidv7()::text, 'x', '[]', ${studio.operator.userId}, null from generate_series(1, 25) returning client_id
    )
    insert into api_keys (id, account_id, created_by, name, prefix, secret_sha256, scopes, app_client_id, expires_at)
    select uuidv7(), m.account_id, m.user_id, 'x', substr(md5(m.account_id::text || client_id), 1, 8), sha256('x'),
      '{api:read}', client_id, now() + interval '30 days'
    from members m, (select * from registered limit 2) r on conflict do nothing`.execute(db);
  await sql`
    insert into jobs (account_id, id, status, service_family, service_type, customer_title, customer_instructions,
      source, plan_code, created_by_user, quality_review, auto_approval_hours, revisions_included)
    select ${account}, uuidv7(), 'completed', 'design', 'logo', 'x', 'x', 'api', 'studio', ${studio.ada.userId}, true, 72, 2
    from generate_series(1, ${rows}::int)`.execute(db);
  await sql`
    insert into job_outcomes (account_id, job_id, ended_at, status, service_family, service_type, due_deliveries, on_time_deliveries, revision_rounds)
    select account_id, id, now() - interval '300 days', 'completed', service_family, service_type, 1, 1, 0 from jobs where status = 'completed'
    on conflict do nothing`.execute(db);
  await sql`
    with subscription as (
      insert into subscriptions (id, account_id) select uuidv7()::text, id from accounts returning id, account_id
    ),
    entitlement as (
      insert into entitlements (account_id, subscription, code, name, access_kind, status, unit, quota,
        concurrency_limit, event_created_at, event_rank)
      select account_id, id, 'solo', 'Solo', 'human', 'canceled', 'job', 1, 1, now(), 0 from subscription
      returning account_id, id
    )
    insert into entitlement_periods (account_id, entitlement_id, period_start, period_end, grant_created_at, grant_rank, anchor)
    select account_id, id, now(), now() + interval '1 day', now(), 0, now() from entitlement`.execute(db);
  await sql`
    insert into files (account_id, id, uploaded_by, purpose, file_name, content_type, declared_bytes, retention_days)
    select ${account}, uuidv7(), 'customer', 'job_source', 'x', 'text/plain', 1, 1
    from generate_series(1, ${Math.min(rows, 2_000)}::int)`.execute(db);
  await sql`
    insert into job_messages (account_id, job_id, id, author, user_id, text, created_at)
    select ${account}, ${uuidOf('job', jobId)}, uuidv7(), case n % 2 when 0 then 'studio' else 'customer' end,
      ${studio.ada.userId}, 'x', now() - n % 365 * interval '1 day'
    from generate_series(1, ${Math.min(rows, 100_000)}::int) n`.execute(db);
  await sql`
    insert into job_times (account_id, job_id, user_id, minutes, worked_on)
    select account_id, id, ${studio.operator.userId}, 30, now() from jobs limit ${Math.min(rows, 100_000)}`.execute(db);
  await sql`
    insert into jobs_set_aside (account_id, job_id, user_id, reason, after_seq, set_aside_until)
    select account_id, id, ${studio.operator.userId}, 'x', 1, now() - interval '1 day' from jobs
    limit ${Math.min(rows, 100_000)} on conflict do nothing`.execute(db);
  await sql`
    insert into worker_keys (id, created_by, name, prefix, secret_sha256)
    select uuidv7(), ${studio.operator.userId}, 'x', substr(md5(n::text || ${rows}::text), 1, 8), sha256('x')
    from generate_series(1, ${Math.min(rows, 2_000)}::int) n`.execute(db);
  await sql`
    insert into idempotency_keys (account_id, route, key, fingerprint, status, answer)
    select ${account}, 'POST /api/v1/jobs', uuidv7()::text, 'x', 201, '{}' from generate_series(1, ${rows}::int)`.execute(
    db,
  );
  await sql`
    insert into events (account_id, seq, id, type, job_id, job_seq, status, actor, message, request_id)
    select ${account}, last.seq + n, uuidv7(), 'job.created', uuidv7(), 1, 'queued', 'customer', 'x', 'x'
    from (select max(seq) as seq from events where account_id = ${account}) last, generate_series(1, ${rows}::int) n`.execute(
    db,
  );
  await sql`
    insert into audit_log (id, account_id, action, actor, subject, user_id, request_id)
    select uuidv7(), ${account}, 'job.held', 'operator', uuidv7()::text, ${studio.operator.userId}, uuidv7()::text
    from generate_series(1, ${Math.min(rows, 200_000)}::int)`.execute(db);
  await sql`
    with endpoint as (
      insert into webhook_endpoints (account_id, id, url, cursor, created_by)
      select account_id, uuidv7(), 'https://x.example', 0, user_id from members returning account_id, id
    ),
    secret as (
      insert into webhook_secrets (account_id, endpoint_id, ciphertext) select account_id, id, 'x' from endpoint
    )
    insert into webhook_deliveries (account_id, endpoint_id, seq, event_id, event_type, job_id)
    select account_id, id, n, uuidv7(), 'job.created', uuidv7()
    from endpoint, generate_series(1, ${rows}::int) n where account_id = ${account}`.execute(db);
  await sql`analyze`.execute(db);
}
