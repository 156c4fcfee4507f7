import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { deadlines } from '../lib/deadlines.ts';
import { version } from '../lib/version.ts';
import { migrate } from './migrate.ts';
import { readMigrationFiles, statementsOf } from './migration-files.ts';

let service: Service;
let url: string;
let session: pg.Client;
// Of its own: it takes migrations back.
beforeAll(async () => {
  service = await createService();
  url = service.databaseUrl;
  session = new pg.Client(url);
  await session.connect();
});
afterAll(async () => {
  await session.end();
  await service.close();
});

/** Changes the history for as long as it takes to see what a start says. */
async function refusalAfter(change: string, undo: string): Promise<string> {
  await session.query(change);
  const message = await migrate(url).then(
    () => 'migrated',
    (error: Error) => error.message,
  );
  await session.query(undo);
  return message;
}

test('each migration is stored with the checksum of its text and the version that ran it', async () => {
  const { rows } = await session.query('select name, sha256, version from migration_checksums order by name');
  expect(rows).toEqual((await readMigrationFiles()).map(({ name, sha256 }) => ({ name, sha256, version })));
  expect(await migrate(url)).toEqual([]);
});

test('a migration is sent statement by statement, and nothing of it is left out', async () => {
  expect(statementsOf('select 1; -- one\nselect 2;\n')).toEqual(['select 1; -- one\nselect 2']);
  expect(statementsOf('do $do$ begin\n  x $$ a;\nb;\n$$;\nend $do$;\nselect 1')).toEqual([
    'do $do$ begin\n  x $$ a;\nb;\n$$;\nend $do$',
    'select 1',
  ]);
  for (const { text } of await readMigrationFiles()) expect(`${statementsOf(text).join(';')};`).toBe(text.trimEnd());
});

test('a database of a newer version is refused, and the version to start is named', async () => {
  const message = await refusalAfter(
    `insert into kysely_migration values ('9999_later', '');
     insert into migration_checksums (name, sha256, version) values ('9999_later', 'x', '7.8.9')`,
    `delete from kysely_migration where name = '9999_later';
     delete from migration_checksums where name = '9999_later'`,
  );
  expect(message).toContain('9999_later');
  expect(message).toContain('Start version 7.8.9 or a newer one.');
});

test('a migration whose text has changed is refused by its name', async () => {
  const message = await refusalAfter(
    "update migration_checksums set sha256 = 'x' || sha256 where name = '0005_usage'",
    "update migration_checksums set sha256 = substr(sha256, 2) where name = '0005_usage'",
  );
  expect(message).toContain('0005_usage.sql');
  expect(message).toContain('Restore the files of the release');
});

test('a database from before the first release is refused', async () => {
  const message = await refusalAfter(
    'create table others as table migration_checksums; delete from migration_checksums',
    'insert into migration_checksums select * from others; drop table others',
  );
  expect(message).toContain('before the first release');
});

test('a statement that fails is named by file, line and beginning, and nothing of its migrations stays', async () => {
  const long = `select ${'1 + '.repeat(100)}1`;
  for (const [statement, words] of [
    ['-- Why.\nselect\n  1/0;', 'line 4: division by zero. The statement: select 1/0'],
    ['select 1\nfrom nowhere;', 'line 4: relation "nowhere" does not exist. The statement: select 1 from nowhere'],
    [`${long}, x;`, `line 3: column "x" does not exist. The statement: ${long.slice(0, 200)}`],
  ]) {
    const bad = { name: '9998_bad', text: `create table half (id integer);\n\n${statement}\n`, sha256: 'x' };
    const failure = migrate(url, () => {}, [...(await readMigrationFiles()), bad]);
    await expect(failure).rejects.toMatchObject({ message: `9998_bad.sql failed in ${words}` });
    const { rows } = await session.query(
      `select to_regclass('half') as half, obj_description('kysely_migration'::regclass) as kept`,
    );
    expect(rows).toEqual([{ half: null, kept: `9998_bad.sql failed in ${words}` }]);
  }
});

const { say } = deadlines.start;
const sayingSoon = () => void Object.assign(deadlines.start, { say: 500 });
const sayingLater = () => void Object.assign(deadlines.start, { say });

test('a process that waits for the migrations of another one says for whom', async () => {
  sayingSoon();
  const said: string[] = [];
  await session.query('select pg_advisory_lock(3853314791062309107)');
  const { rows } = await session.query('select pg_backend_pid() as pid');
  const migrated = migrate(url, (line) => said.push(line));
  await expect.poll(() => said.length).toBeGreaterThan(1);
  await session.query('select pg_advisory_unlock(3853314791062309107)');
  await migrated;
  sayingLater();
  expect(said[0]).toMatch(
    new RegExp(
      `^The migrations wait for a lock. Session ${rows[0].pid} keeps others from the migrations. Look at it: .*`,
    ),
  );
});

test('a migration that waits for a lock gives way after a second, says who holds it, and is tried again', async () => {
  await session.query(`
    drop table examinations, saved_views, job_times, jobs_set_aside, job_ticks, imported_people, imported_rows;
    drop table unindexed_jobs;
    drop function words_of_job;
    drop index jobs_ended;
    alter table job_words drop column complete;
    alter table job_notes drop column worker_key_id;
    alter table jobs drop column worker_released_at, drop column by_operator, drop column checklist;
    alter table accounts drop column takes_studio_orders;
    alter table accounts drop column imported_at;
    alter table job_outcomes drop column imported_at;
    alter table jobs drop column imported_at;
    drop table comment_replies, review_lookers;
    alter table job_comments drop column settled_at, drop column settled_by_user, drop column settled_by_key;
    drop table orders;
    alter table members drop column orders;
    drop table calendars, day_figures, stored_days, upload_pages, notifications, notification_choices;
    drop index api_keys_expires_at_idx;
    alter table people add column mail_messages boolean not null default true;
    alter table task_runs drop column due_at;
    alter table jobs drop column round_operators;
    alter table installation drop column storage_problem, drop column storage_problem_at, drop column outbound_off,
      drop column move;
    alter table entitlements drop column state, drop column state_since, drop column serves_until, drop column ends_at,
      drop column paid_until, drop column collection_paused, drop column facts_receipt, drop column serves_uncollected, drop column carried_as,
      drop column carried_at, drop column carried_start, drop column carried_end;
    alter table provider_events drop column plan_code;
    drop index provider_events_of_subscription, provider_events_to_look_at, accounts_suspended,
      provider_events_of_refunded_charge, provider_events_of_refunded_intent;
    drop table webhook_signatures, provider_payments;
    alter table oauth_refresh_tokens drop column generation, drop column paired_at;
    alter table oauth_clients drop column registered_by;
    drop index api_keys_app_client_id_expires_at_idx;
    drop view visible_files;
    alter table files drop column pixel_width, drop column pixel_height, drop column viewing_status, drop column viewing_key,
      drop column viewing_bytes, drop column viewing_due_at, drop column viewing_attempts;
    create view visible_files as select * from files;
    drop index job_outcomes_finished, files_unattached;
    alter table review_links drop column shown_jobs;
    delete from kysely_migration where name >= '0032';
    delete from migration_checksums where name >= '0032'`);
  const [writer, other] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([writer.connect(), other.connect()]);
  await writer.query('begin; lock table api_keys in row exclusive mode');
  sayingSoon();
  const said: string[] = [];
  const migrated = migrate(url, (line) => said.push(line));
  const waiting = async () => {
    const { rows } = await session.query(`
      select count(*)::int as count from pg_locks where not granted and relation = 'api_keys'::regclass`);
    return rows[0].count as number;
  };
  await expect.poll(waiting, { interval: 20 }).toBe(1);
  // A writer that comes now stands behind the migration, which stands behind the open transaction.
  const began = performance.now();
  await other.query('update api_keys set name = name');
  expect(performance.now() - began).toBeLessThan(20_000);
  const { rows } = await writer.query('select pg_backend_pid() as pid');
  await expect.poll(() => said.join()).toContain(`Session ${rows[0].pid} keeps others from api_keys.`);
  await writer.query('commit');
  expect(await migrated).toEqual([
    '0032_notifications',
    '0033_upload_pages',
    '0034_day_figures',
    '0035_due_tasks',
    '0036_round_operators',
    '0037_storage_problem',
    '0038_copies',
    '0039_subscription_facts',
    '0040_provider_payments',
    '0041_webhook_signatures',
    '0043_standing',
    '0044_refresh_generations',
    '0045_studio_apps',
    '0046_what_reviewers_see',
    '0047_roles',
    '0048_talk_in_review',
    '0049_library',
    '0050_calendars',
    '0053_orders',
    '0054_unattached_files',
    '0055_alerts_of_work',
    '0056_orders_for_customers',
    '0057_hours_of_makers',
    '0058_job_words',
    '0059_imports',
    '0060_saved_views',
    '0061_examinations',
    '0062_storage_move',
  ]);
  sayingLater();
  await Promise.all([writer.end(), other.end()]);
  const kept = await session.query(`select obj_description('kysely_migration'::regclass) as kept`);
  expect(kept.rows, 'the failure before is over').toEqual([{ kept: null }]);
});
