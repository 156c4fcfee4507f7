import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';
import { recordBackup } from '../backup/last-backup.ts';
import { claimStorage } from '../files/installation.ts';
import { version } from '../lib/version.ts';
import { scheduledTasks } from '../scheduled-tasks.ts';

let studio: Studio;
// Of its own: it examines the whole installation, and breaks it.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const run = (statement: string) => sql.raw(statement).execute(studio.service.context.db);
const read = async (as = studio.operator.token) => {
  const { status, body } = await studio.service.call('GET', '/api/operator/v1/health', { as });
  expect(status).toBe(200);
  return body.health;
};
const examine = (stopped = new AbortController().signal) =>
  scheduledTasks['examineWhenDue']!.run(studio.service.context, stopped);
const rows = async () =>
  (await run('select daily, started_at, ended_at, version from examinations order by requested_at')).rows;

test('200 before the first examination, which is due an hour after the installation began', async () => {
  const before = await read();
  expect(before).toMatchObject({
    version,
    node: process.versions.node,
    examined_at: null,
    examining: false,
    findings: [],
    backups: { recorded_at: null, verified_at: null },
  });
  expect(before.postgres).toMatch(/^\d+(\.\d+)?$/);
  expect(before.newest_migration).toMatch(/^\d{4}_\w+$/);
  await claimStorage(studio.service.context);
  await examine();
  expect(await rows()).toEqual([]);
});

test('200 with the findings of the service about itself, once an hour', async () => {
  await run(`update installation set created_at = now() - interval '61 minutes'`);
  await run(`update migration_checksums set sha256 = repeat('0', 64) where name like '0028%'`);
  await examine();
  const { examined_at, examining, findings } = await read();
  expect(Date.now() - Date.parse(examined_at)).toBeLessThan(60_000);
  expect(examining).toBe(false);
  const of = (check: string) => findings.filter((finding: { check: string }) => finding.check === check);
  expect(of('configuration')[0].sentence).toMatch(/^This is a trial/);
  expect(of('migrations')).toEqual([
    {
      check: 'migrations',
      status: 'fail',
      sentence: expect.stringContaining('0028_'),
      action: 'Restore the files of the release: a start refuses these.',
    },
  ]);
  // It counts itself among the processes.
  expect(of('connections')[0].sentence).toMatch(/^1 process runs/);
  expect(of('processes')[0].sentence).toBe('The processes have the same SECRET_KEY.');
  await examine();
  expect(await rows()).toHaveLength(1);
});

test('three of the service are kept, and three of the days', async () => {
  await run(`insert into examinations (id, daily, ended_at, version, findings)
    select uuidv7(), n % 2 = 0, now() - make_interval(days => n), 'old', '[]' from generate_series(1, 20) n`);
  await run(`insert into examinations (id) values (uuidv7())`);
  await examine();
  const kept = await rows();
  expect(kept.filter((row) => (row as { daily: boolean }).daily)).toHaveLength(3);
  expect(kept).toHaveLength(6);
});

test('what a dead process began is begun again after ten minutes, and what a process gives back at its end at once', async () => {
  await run(`delete from examinations; insert into examinations (id, requested_at, started_at)
    values (uuidv7(), now() - interval '9 minutes', now() - interval '9 minutes')`);
  await examine();
  expect(await rows()).toMatchObject([{ ended_at: null }]);
  expect((await read()).examining).toBe(true);
  await run(
    `update examinations set requested_at = now() - interval '11 minutes', started_at = now() - interval '11 minutes'`,
  );
  expect((await read()).examining).toBe(false);
  const stopping = new AbortController();
  const ended = examine(stopping.signal);
  stopping.abort();
  await ended;
  expect(await rows()).toMatchObject([{ started_at: null, ended_at: null }]);
  await examine();
  expect(await rows()).toMatchObject([{ ended_at: expect.any(Date), version }]);
});

test('200 with the newest backup and the newest that was restored on trial', async () => {
  const { db } = studio.service.context;
  await recordBackup(db, 'verified', { restored: true });
  const { backups: first } = await read();
  expect(first.verified_at).toBe(first.recorded_at);
  await recordBackup(db, 'plain', { restored: false });
  const { backups } = await read();
  expect(backups.verified_at).toBe(first.verified_at);
  expect(Date.parse(backups.recorded_at)).toBeGreaterThan(Date.parse(first.recorded_at));
});

test('403 for a lead: it is for owners of the studio', async () => {
  const { token } = await makeOperator(studio.service, 'lead');
  for (const [method, path] of [
    ['GET', 'health'],
    ['POST', 'examinations'],
    ['GET', 'support-bundle'],
  ] as const) {
    const { status, body } = await studio.service.call(method, `/api/operator/v1/${path}`, { as: token });
    expect([status, body.error.code]).toEqual([403, 'role_required']);
  }
});
