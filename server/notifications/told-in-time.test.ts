import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createDb, listenToCommits } from '../db/pool.ts';
import { createStudio, newJobIn, post, setPlan, type Studio, uuidOf } from '../../test/support/jobs.ts';
import { toldTo } from '../../test/support/notifications.ts';
import { addMember } from '../../test/support/people.ts';
import { deleteOldNotifications } from './delete-old-notifications.ts';
import { storeAlerts } from '../desk/queue/store-alerts.ts';
import { tellOfApprovals } from '../jobs/tell-of-approvals.ts';
import { tellOfKeys } from './tell-of-keys.ts';

let studio: Studio;
// Of its own: it stores the alerts of all jobs, fifty at a time.
beforeAll(async () => {
  studio = await createStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000, quota: 1000 });
});
afterAll(() => studio.service.close());

const stopped = new AbortController().signal;
const db = () => studio.service.context.db;
const kinds = async (person = studio.ada, side: 'customer' | 'studio' = 'customer') =>
  (await toldTo(studio.service, person, side)).map(({ kind }) => kind);

test('a delivery that is approved automatically within a day, once, and not one that was made today', async () => {
  const id = await newJobIn({ ...studio, key: studio.ada.token }, 'ready_for_customer_review');
  await tellOfApprovals(db(), stopped);
  expect(await kinds()).not.toContain('approval_due');
  const later = (hours: number) =>
    sql`update jobs set review_due_at = now() + make_interval(hours => ${hours}),
      status_changed_at = now() - interval '2 days' where id = ${uuidOf('job', id)}`.execute(db());
  await later(25);
  await tellOfApprovals(db(), stopped);
  expect(await kinds()).not.toContain('approval_due');
  await later(23);
  for (const _ of [1, 2]) await tellOfApprovals(db(), stopped);
  expect((await kinds()).filter((kind) => kind === 'approval_due')).toHaveLength(1);
});

test('a key that ends within a week, to who created it, and not one that never lived longer', async () => {
  const admin = await addMember(studio.service, studio.ada, 'admin');
  const day = 86_400_000;
  const at = (days: number) => new Date(Date.now() + days * day).toISOString();
  const create = (name: string, expires_at: string) =>
    post(studio.service, admin.token, '/api/v1/api-keys', { name, expires_at });
  await create('of a year', at(365));
  await create('of three days', at(3));
  await tellOfKeys(db(), stopped);
  expect(await kinds(admin)).toEqual([]);
  await sql`update api_keys set created_at = now() - interval '359 days', expires_at = now() + interval '6 days'
    where name = 'of a year'`.execute(db());
  for (const _ of [1, 2]) await tellOfKeys(db(), stopped);
  expect(await toldTo(studio.service, admin)).toMatchObject([
    { kind: 'key_expiring', about: 'of a year', path: '/keys' },
  ]);
});

test('an alert of the desk is stored once, and not of a job that the operator has muted', async () => {
  const [told, muted] = [await newJobIn(studio, 'running'), await newJobIn(studio, 'running')];
  await studio.service.call('PUT', `/api/operator/v1/jobs/${muted}/following`, {
    as: studio.operator.token,
    body: { following: false },
  });
  await sql`update jobs set due_at = now() - interval '1 minute'
    where id in (${uuidOf('job', told)}, ${uuidOf('job', muted)})`.execute(db());
  for (const _ of [1, 2]) await storeAlerts(db(), stopped);
  const about = (await toldTo(studio.service, studio.operator, 'studio')).filter(({ kind }) => kind === 'overdue');
  expect(about.map(({ job_id }) => job_id)).toEqual([told]);
});

test('the look at the last minute stores what came in it; the look at six hours stores the rest', async () => {
  const [recent, earlier] = [await newJobIn(studio, 'running'), await newJobIn(studio, 'running')];
  const makeDue = (job: string, seconds: number) =>
    sql`update jobs set due_at = now() - make_interval(secs => ${seconds}) where id = ${uuidOf('job', job)}`.execute(
      db(),
    );
  await makeDue(recent, 20);
  await makeDue(earlier, 100);
  const overdue = async () =>
    (await toldTo(studio.service, studio.operator, 'studio'))
      .filter(({ kind, job_id }) => kind === 'overdue' && [recent, earlier].some((id) => id === job_id))
      .map(({ job_id }) => job_id);
  await storeAlerts(db(), stopped, 1);
  expect(await overdue()).toEqual([recent]);
  await storeAlerts(db(), stopped);
  expect((await overdue()).toSorted()).toEqual([recent, earlier].toSorted());
});

test('a stored alert wakes the streams of its account', async () => {
  const job = await newJobIn(studio, 'running');
  await sql`update jobs set due_at = now() - interval '1 minute' where id = ${uuidOf('job', job)}`.execute(db());
  // With a listener of its own, because the streams of the service also look from time to time.
  const own = createDb(studio.service.databaseUrl, 2, () => {});
  onTestFinished(() => own.destroy());
  const woken: string[] = [];
  listenToCommits(own, (accounts) => woken.push(...accounts));
  await storeAlerts(own, stopped);
  expect(woken).toContain(studio.ada.accountId);
});

test('of more than fifty alerts each is stored', async () => {
  const jobs: string[] = [];
  for (let made = 0; made < 60; made++) jobs.push(await newJobIn(studio, 'accepted'));
  await sql`update jobs set due_at = now() - interval '1 minute'
    where id = any(${jobs.map((id) => uuidOf('job', id))}::uuid[])`.execute(db());
  for (const _ of [1, 2]) await storeAlerts(db(), stopped);
  const { rows } = await sql<{ told: number }>`select count(*)::int as told from notifications
    where kind = 'overdue' and user_id = ${studio.operator.userId}
      and job_id = any(${jobs.map((id) => uuidOf('job', id))}::uuid[])`.execute(db());
  expect(rows[0]?.told).toBe(60);
});

test('after 90 days they are gone', async () => {
  await newJobIn({ ...studio, key: studio.ada.token }, 'rejected');
  await sql`update notifications set created_at = now() - interval '91 days' where kind = 'rejected'`.execute(db());
  await deleteOldNotifications(db(), stopped);
  expect(await kinds()).not.toContain('rejected');
});
