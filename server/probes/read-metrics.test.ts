import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { endpoints } from '../../contract/openapi.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { createJob, createStudio, type Studio, uuidOf } from '../../test/support/jobs.ts';
import { makeWorker } from '../../test/support/workers.ts';
import { recordBackup } from '../backup/last-backup.ts';
import { claimStorage } from '../files/installation.ts';
import { queueMail } from '../mail/outbox.ts';
import { scheduledTasks, startScheduledTasks } from '../scheduled-tasks.ts';

let service: Service;
// Of its own: it counts what the whole installation has.
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

test('200 names routes by their pattern and refusals by their code', async () => {
  await service.call('GET', '/api/v1/jobs/job_01jd3vsh8xe7rtx1zqbdnzc4v0');
  for (const path of ['/docs/', '/sandbox/checkout/cs_one', '/storage/files/one', '/nothing'])
    await (await fetch(service.url + path)).arrayBuffer();
  const { status, body } = await service.call('GET', '/metrics');
  expect(status).toBe(200);
  expect(body).toContain('http_requests_total{method="GET",route="/api/v1/jobs/{id}",status_code="401"} 1');
  expect(body).toContain('http_request_duration_seconds_bucket{le="5",status_code="401"} 1');
  expect(body).not.toMatch(/^nodejs_active_\w+_total/m);
  for (const [route, answer] of Object.entries({
    '/docs/': 200,
    '/sandbox/checkout/{id}': 404,
    '/storage/files/{name}': 403,
    'no route': 404,
  }))
    expect(body).toContain(`{method="GET",route="${route}",status_code="${answer}"} 1`);
  expect(body).toContain('atelier_refusals_total{code="unauthenticated"} 1');
  expect(body).toContain('atelier_database_connections{state="waiting"}');
  expect(body).not.toContain('job_01jd3vsh8xe7rtx1zqbdnzc4v0');
  await service.call('GET', '/readyz'); // 503, but a probe is no request of anybody
  const { body: later } = await service.call('GET', '/metrics');
  expect(later).toContain('atelier_requests_total{outcome="answered"} 5');
  expect(later).toContain('atelier_requests_total{outcome="failed"} 0');
});

test('200 in less than 100 kB, also after each route has given several answers', async () => {
  const { metrics } = service.context;
  for (const { method, path } of endpoints)
    for (const status of [200, 401, 422]) metrics.answered(method, path, status, 0.01);
  const { body } = await service.call('GET', '/metrics');
  expect(body).toContain('route="/api/operator/v1/jobs/{id}/pass",status_code="422"} 1');
  expect(body.length).toBeLessThan(100_000);
});

describe('the state of the installation', () => {
  let studio: Studio;
  const scrape = async () => String((await studio.service.call('GET', '/metrics')).body);
  const run = async (task: string) => scheduledTasks[task]!.run(studio.service.context, new AbortController().signal);
  const valueOf = (text: string, series: string) => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? null : Number(line.split(' ').at(-1));
  };
  beforeAll(async () => void (studio = await createStudio()));
  afterAll(() => studio.service.close());

  test('jobs by status, overdue, parked and the oldest, as one process counted them', async () => {
    const [, late, parked] = [1, 2, 3].map(() => createJob(studio.service, studio.key));
    const { db } = studio.service.context;
    await sql`update jobs set created_at = now() - interval '1 hour', due_at = now() - interval '1 minute'
      where id = ${uuidOf('job', (await late!).body.job.id)}`.execute(db);
    await sql`update jobs set lease_expiries = 5, created_at = now() - interval '1 day'
      where id = ${uuidOf('job', (await parked!).body.job.id)}`.execute(db);
    await run('recordState');
    const text = await scrape();
    expect(valueOf(text, 'atelier_jobs{status="queued"}')).toBe(3);
    expect(valueOf(text, 'atelier_jobs{status="running"}')).toBe(0);
    expect(valueOf(text, 'atelier_jobs_overdue')).toBe(1);
    expect(valueOf(text, 'atelier_jobs_parked')).toBe(1);
    expect(valueOf(text, 'atelier_jobs_oldest_queued_seconds')).toBeGreaterThanOrEqual(3600);
    expect(valueOf(text, 'atelier_jobs_oldest_queued_seconds')).toBeLessThan(4000);
  });

  test('the dependencies of /readyz?verbose by the same names, without those that are not used', async () => {
    const namesIn = (text: string) =>
      [...text.matchAll(/^atelier_dependency_up\{name="(\w+)"\} 1$/gm)].map(([, name]) => name);
    expect(namesIn(await scrape())).toEqual(['database', 'tasks', 'listener', 'storage', 'sweeps', 'loops']);
    const mailing = await createService({ SMTP_URL: 'smtp://127.0.0.1:1' });
    const names = async () => namesIn((await mailing.call('GET', '/metrics')).body);
    await expect.poll(names).toEqual(['database', 'tasks', 'listener', 'storage', 'sweeps', 'mail', 'loops']); // once it hears itself
    await mailing.close();
  });

  test('claims and expired leases are counted where they happen', async () => {
    const worker = await makeWorker(studio);
    const claim = () => studio.service.call('POST', '/api/operator/v1/jobs/claim', { as: worker, body: {} });
    expect((await claim()).status).toBe(200);
    await sql`update jobs set lease_expires_at = now() - interval '1 ms' where lease_expires_at is not null`.execute(
      studio.service.context.db,
    );
    await run('expireLeases');
    const text = await scrape();
    expect(valueOf(text, 'atelier_claims_total')).toBe(1);
    expect(valueOf(text, 'atelier_lease_expiries_total')).toBe(1);
  });

  test('mails, deliveries, disabled endpoints and payments that somebody has to look at', async () => {
    const { db } = studio.service.context;
    const account = studio.ada.accountId;
    await sql`insert into mails (kind, address, attempts, due_at, expires_at) values
      ('invitation', 'a@x.example', 3, now() + interval '30 minutes', now() + interval '1 day'),
      ('invitation', 'b@x.example', 0, now() - interval '10 minutes', now() + interval '1 day')`.execute(db);
    for (const reason of [null, 'failing'])
      await sql`
        with endpoint as (
          insert into webhook_endpoints (account_id, id, url, cursor, created_by, disabled_reason)
          values (${account}, uuidv7(), 'https://x.example', 0, ${studio.ada.userId}, ${reason}) returning account_id, id
        )
        insert into webhook_deliveries (account_id, endpoint_id, seq, event_id, event_type, due_at)
        select account_id, id, 1, uuidv7(), 'x', now() - interval '20 minutes' from endpoint`.execute(db);
    await sql`insert into provider_events (id, type, outcome, reason, livemode, payload, created_at)
      values ('evt_1', 'x', 'ignored', 'unknown customer', false, '{}', now())`.execute(db);
    await sql`delete from unindexed_jobs`.execute(db);
    await sql`insert into unindexed_jobs (account_id, job_id) values (uuidv7(), uuidv7())`.execute(db);
    await run('recordState');
    const text = await scrape();
    const expected = {
      atelier_mails_due: 1,
      atelier_mails_retried: 1,
      atelier_webhook_deliveries_due: 1,
      'atelier_webhook_endpoints_disabled{reason="failing"}': 1,
      atelier_provider_events_to_look_at: 1,
      atelier_unindexed_jobs: 1,
    };
    for (const [series, value] of Object.entries(expected))
      expect([series, valueOf(text, series)]).toEqual([series, value]);
    expect(valueOf(text, 'atelier_webhook_deliveries_oldest_due_seconds')).toBeGreaterThanOrEqual(1200);
    await sql`delete from mails`.execute(db);
    await sql`delete from webhook_endpoints`.execute(db);
  });

  test('the oldest mail is as old as its first attempt is late, also while it waits for its next one', async () => {
    const { db } = studio.service.context;
    const oldest = async () => {
      await run('recordState');
      return valueOf(await scrape(), 'atelier_mails_oldest_due_seconds');
    };
    const move = (time: string) =>
      sql`update mails set due_at = due_at - ${time}::interval, expires_at = expires_at - ${time}::interval`.execute(
        db,
      );
    await queueMail(db, { kind: 'choose_password', address: 'a@x.example' }, 3600);
    expect(await oldest()).toBe(0); // a reminder: it is not late
    await move('2 hours');
    expect(await oldest()).toBeGreaterThanOrEqual(3600);
    expect(await oldest()).toBeLessThan(3700);
    await sql`update mails set attempts = 7, due_at = now() + interval '50 minutes'`.execute(db);
    expect(await oldest()).toBeGreaterThanOrEqual(3600);
    expect(await oldest()).toBeLessThan(3700);
    await sql`delete from mails`.execute(db);
    expect(await oldest()).toBe(0);
  });

  test('deliveries are late at endpoints that answer, not at those that fail, however many wait there', async () => {
    const { db } = studio.service.context;
    const id = uuidOf('job', (await createJob(studio.service, studio.key)).body.job.id);
    const newEndpoint = async (failing: string | null, late: string, waiting: number) => {
      await sql`
        with endpoint as (
          insert into webhook_endpoints (account_id, id, url, cursor, created_by, failing_since)
          values (${studio.ada.accountId}, uuidv7(), 'https://x.example', 0, ${studio.ada.userId}, ${failing})
          returning account_id, id
        )
        insert into webhook_deliveries (account_id, endpoint_id, seq, event_id, event_type, due_at)
        select account_id, id, n, uuidv7(), 'x', now() - ${late}::interval
        from endpoint, generate_series(1, ${waiting}::int) n`.execute(db);
    };
    await newEndpoint('2026-11-27T00:00:00Z', '3 hours', 100_001); // more than are counted
    await newEndpoint(null, '2 hours', 2);
    await newEndpoint(null, '-1 hours', 1);
    // The second event of a job waits for the first, which failed once.
    await sql`
      insert into webhook_deliveries (account_id, endpoint_id, seq, event_id, event_type, job_id, attempts, due_at)
      select account_id, id, 100 + n, uuidv7(), 'x', ${id}, 2 - n, now() + (5 - 4 * n) * interval '1 hour'
      from webhook_endpoints, generate_series(1, 2) n where failing_since is null`.execute(db);
    await run('recordState');
    const text = await scrape();
    expect(valueOf(text, 'atelier_webhook_endpoints_failing')).toBe(1);
    expect(valueOf(text, 'atelier_webhook_deliveries_due')).toBe(2);
    expect(valueOf(text, 'atelier_webhook_deliveries_oldest_due_seconds')).toBeGreaterThanOrEqual(7200);
    expect(valueOf(text, 'atelier_webhook_deliveries_oldest_due_seconds')).toBeLessThan(7300);
    await sql`delete from webhook_endpoints`.execute(db);
    // As a process of 0.2.0 counts.
    await sql`update state_figures set figures = figures - 'failing_endpoints'`.execute(db);
    expect(valueOf(await scrape(), 'atelier_webhook_endpoints_failing')).toBeNull();
  });

  test('when a backup was last recorded, and verified; before the first one, when the installation began', async () => {
    const { db, storage } = studio.service.context;
    const last = async (kind = '') => valueOf(await scrape(), `atelier_last_${kind}backup_timestamp_seconds`);
    expect(await last()).toBeNull(); // not started yet
    await claimStorage({ db, storage });
    await sql`update installation set created_at = '2026-01-01T00:00:00Z'`.execute(db);
    expect(await last()).toBe(Date.UTC(2026, 0, 1) / 1000);
    await recordBackup(db, 'monday', { restored: false });
    expect(await last()).toBeGreaterThan(Date.now() / 1000 - 60);
    expect(await last('verified_')).toBe(Date.UTC(2026, 0, 1) / 1000);
    await recordBackup(db, 'tuesday', { restored: true });
    expect(await last('verified_')).toBeGreaterThan(Date.now() / 1000 - 60);
  });

  test('when each task last succeeded, also before its first run', async () => {
    const queue = startScheduledTasks(studio.service.context, studio.service.databaseUrl);
    const age = () => scrape().then((text) => valueOf(text, 'atelier_state_age_seconds'));
    try {
      await expect.poll(scrape).toContain('atelier_task_period_seconds{task="sweepStorage"} 3600');
      const before = await age();
      await expect.poll(age, { timeout: 40_000 }).toBeLessThan(before!);
    } finally {
      await queue.stop();
    }
    const text = await scrape();
    const needed = Object.entries(scheduledTasks).filter(([, task]) => task.isNeeded?.(studio.service.context) ?? true);
    for (const [task] of needed)
      expect(valueOf(text, `atelier_task_last_success_timestamp_seconds{task="${task}"}`), task).toBeGreaterThan(1.7e9);
    expect(valueOf(text, 'atelier_task_duration_seconds{task="recordState"}')).toBeGreaterThan(0);
  }, 60_000);

  test('a statement that takes too long is counted', async () => {
    const { db } = studio.service.context;
    const count = async () => valueOf(await scrape(), 'atelier_database_faults_total{kind="statement_timeout"}');
    const before = (await count()) ?? 0;
    const slow = db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = 20`.execute(trx);
      await sql`select pg_sleep(1)`.execute(trx);
    });
    await expect(slow).rejects.toThrow('statement timeout');
    expect(await count()).toBe(before + 1);
  });

  test('there are fewer than 500 series of ours, and every rule and panel names one that exists', async () => {
    const text = await scrape();
    expect(text.split('\n').filter((line) => line.startsWith('atelier_')).length).toBeLessThan(500);
    const names = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const read = (path: string) => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');
    const { groups } = parse(read('prometheus/rules.yml')) as { groups: { rules: { expr: string }[] }[] };
    const { panels } = JSON.parse(read('grafana/atelier.json')) as { panels: { targets: { expr: string }[] }[] };
    const expressions = [...groups.flatMap(({ rules }) => rules), ...panels.flatMap(({ targets }) => targets)];
    expect(expressions.length).toBeGreaterThan(40);
    const unknown = expressions.flatMap(({ expr }) =>
      [...expr.matchAll(/\b(?:atelier|http|nodejs|process)_\w+/g)].filter(
        ([name]) => !names.has(name) && !names.has(name.replace(/_(?:bucket|count|sum)$/, '')),
      ),
    );
    expect(unknown.map(([name]) => name)).toEqual([]);
    // Several studios may be on one Prometheus, each under a job of its own.
    const mixed = expressions.filter(({ expr }) => /\b(?:sum|min|max|topk)\b(?! by \(job)/.test(expr));
    expect(mixed).toEqual([]);
    const ofAll = panels
      .flatMap(({ targets }) => targets)
      .filter(({ expr }) => /(?:atelier|http|nodejs|process)_\w+(?!\w|\{job=~"\$job")/.test(expr));
    expect(ofAll).toEqual([]);
  });

  test('each rule says what it means, and names a chapter of the manual', () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const { groups } = parse(read('deploy/prometheus/rules.yml')) as {
      groups: { rules: { alert: string; annotations: { summary: string; description: string } }[] }[];
    };
    for (const { alert, annotations } of groups.flatMap(({ rules }) => rules)) {
      expect(annotations.summary, alert).toMatch(/^.{20,}\.$/);
      expect(annotations.description, alert).toMatch(/ See docs\/operations\/[\w-]+\.md#[\w-]+\.$/); // test/manual.test.ts
    }
  });

  test('200 without figures while the database does not answer', async () => {
    const alone = await createService();
    await alone.context.db.destroy();
    const { status, body } = await alone.call('GET', '/metrics');
    expect(status).toBe(200);
    expect(body).not.toContain('atelier_jobs');
    await alone.context.databaseWatch.stop(); // its answers count for three seconds
    const isUp = async () =>
      valueOf((await alone.call('GET', '/metrics')).body, 'atelier_dependency_up{name="database"}');
    await expect.poll(isUp, { timeout: 10_000 }).toBe(0);
    await alone.close();
  });
});
