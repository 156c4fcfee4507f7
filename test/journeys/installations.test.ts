import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Endpoint, isSignedIn } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import { checkDatabase } from '../../server/check/check-database.ts';
import { checkDatabase as checkServer } from '../../server/db/check-database.ts';
import { createDb, otherInstances } from '../../server/db/pool.ts';
import { startQueue } from '../../server/db/queue.ts';
import { openNotifications } from '../../server/events/notifications.ts';
import { restartFeed } from '../../server/events/restart-feed.ts';
import { createLog } from '../../server/lib/log.ts';
import { ask, contentOf, createWorld, prefixOf, titled, unknownId, type World } from '../support/every-endpoint.ts';
import { type As, createService, type Service } from '../support/harness.ts';
import { createJob, newJob, post } from '../support/jobs.ts';
import { mailedToken } from '../support/people.ts';
import { makeWorker } from '../support/workers.ts';

/**
 * Three installations on one database: one in the schema `public`, and two in schemas of their own, which even
 * have the same secrets. Each looks to the others as if it did not exist.
 */
let first: Service;
let ours: World;
let theirs: World;
beforeAll(async () => {
  first = await createService();
  const { databaseUrl } = first;
  ours = await createWorld({ DATABASE_SCHEMA: 'studio_a' }, { databaseUrl });
  theirs = await createWorld({ DATABASE_SCHEMA: 'studio_b' }, { databaseUrl });
}, 300_000);
afterAll(async () => {
  await Promise.all([ours?.service.close(), theirs?.service.close()]);
  await first?.close();
});

const contents = () => Promise.all([first, ours.service, theirs.service].map((service) => contentOf(service)));

async function changingNothing(run: () => Promise<unknown>): Promise<void> {
  const before = await contents();
  await run();
  expect(await contents()).toEqual(before);
}

/** An answer without what differs between any two requests, and without the id that was asked for. */
const seen = ({ status, body }: Awaited<ReturnType<typeof ask>>, id: string) => ({
  status,
  body: JSON.parse((JSON.stringify(body) ?? 'null').replaceAll(id, '<id>'), (key, value) =>
    key === 'request_id' ? '<request>' : value,
  ),
});

test('everything of an installation is in its schema, without triggers', async () => {
  const { rows } = await sql<{ schema: string; tables: number }>`
    select schemaname as schema, count(*)::int as tables from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')
    group by 1 order by 1`.execute(first.context.db);
  expect(rows.map(({ schema }) => schema)).toEqual(['public', 'studio_a', 'studio_b']);
  expect(new Set(rows.map(({ tables }) => tables)).size).toBe(1);
  const triggers = await sql`select tgname from pg_trigger where not tgisinternal`.execute(first.context.db);
  expect(triggers.rows).toEqual([]);
});

describe('an id of another installation answers as one that does not exist, and nothing changes', () => {
  const named = endpoints.filter((endpoint) => prefixOf(endpoint) !== null);
  test.each(titled(named))('%s', async (_, endpoint) => {
    await changingNothing(async () => {
      const [known, unknown] = [theirs.ids[prefixOf(endpoint)!]!, unknownId(endpoint)];
      const answer = seen(await ask(ours, endpoint, { id: known }), known);
      expect(answer).toEqual(seen(await ask(ours, endpoint, { id: unknown }), unknown));
      expect(answer.status).toBeGreaterThanOrEqual(400);
    });
  });
});

describe('a credential of another installation answers as one that nobody has', () => {
  const changed = (token: string) => token.slice(0, -6) + (token.endsWith('aaaaaa') ? 'bbbbbb' : 'aaaaaa');
  const credentials = async (): Promise<[As, As][]> => {
    const { ada, operator, key, readKey, guest } = theirs;
    const worker = await makeWorker(theirs);
    const bearers = [ada.token, operator.token, key, readKey, worker].map((token): [As, As] => [token, changed(token)]);
    return [
      ...bearers,
      [{ cookie: ada.cookie }, { cookie: changed(ada.cookie) }],
      [guest, { review: changed(guest.review) }],
    ];
  };
  let all: [As, As][];
  beforeAll(async () => void (all = await credentials()));

  const readings = endpoints.filter(
    ({ method, auth, params }) => method === 'GET' && (isSignedIn(auth) || auth === 'guest') && !params,
  );
  test.each(titled(readings))('%s', async (_, endpoint: Endpoint) => {
    for (const [as, nobodys] of all) {
      const answer = seen(await ask(ours, endpoint, { as }), '-');
      expect(answer).toEqual(seen(await ask(ours, endpoint, { as: nobodys }), '-'));
      expect([401, 404]).toContain(answer.status);
    }
  });
});

test('404, 400: tokens of mails and cursors of another installation', async () => {
  const email = `${randomUUID()}@example.com`;
  await post(theirs.service, theirs.ada.token, '/api/auth/invitations', { email, role: 'member' });
  const token = mailedToken(theirs.service, email, 'You are invited');
  const path = endpoints.find(({ operationId }) => operationId === 'readMailedInvitation')!.path;
  const readAt = (service: Service) => post(service, null, path, { token });
  expect((await readAt(theirs.service)).status).toBe(200);
  expect((await readAt(ours.service)).status).toBe(404);
  await newJob(theirs.service, theirs.key);
  const { body } = await theirs.service.call('GET', '/api/v1/jobs?limit=1', { as: theirs.key });
  const next = `/api/v1/jobs?limit=1&cursor=${body.next_cursor}`;
  expect((await theirs.service.call('GET', next, { as: theirs.key })).status).toBe(200);
  expect((await ours.service.call('GET', next, { as: ours.key })).status).toBe(400);
});

test('what one does changes nothing of the others: jobs, a restart of the feeds, the check', async () => {
  // Worlds have a comment that was sent without a revision.
  for (const { service } of [ours, theirs]) await service.context.db.deleteFrom('job_comments').execute();
  const before = await contents();
  await createJob(ours.service, ours.key, {}, 'shared');
  await createJob(theirs.service, theirs.key, {}, 'shared');
  const between = await contents();
  expect(between[0]).toEqual(before[0]);
  await restartFeed(ours.service.context.db);
  const after = await contents();
  expect([after[0], after[2]]).toEqual([between[0], between[2]]);
  for (const { context } of [first, ours.service, theirs.service])
    expect((await checkDatabase(context.db)).contradictions).toEqual([]);
});

test('an event wakes the processes of its installation alone', async () => {
  const heard: Record<string, number> = {};
  const open = ({ context, databaseUrl }: Service, name: string) =>
    openNotifications(context.db, databaseUrl, (ids) => void (heard[name] = (heard[name] ?? 0) + (ids?.length ?? 0)), {
      warn: () => {},
    });
  const all = [
    open(ours.service, 'sender'),
    open(ours.service, 'ours'),
    open(theirs.service, 'theirs'),
    open(first, 'first'),
  ];
  await vi.waitFor(() => expect(all.map((one) => one.areHeard())).toEqual([true, true, true, true]), 30_000);
  for (const name of Object.keys(heard)) heard[name] = 0;
  all[0]!.send([ours.ada.accountId]);
  await vi.waitFor(() => expect(heard.ours).toBe(1), 30_000);
  await wait(500);
  expect(heard).toEqual({ sender: 0, ours: 1, theirs: 0, first: 0 });
  await Promise.all(all.map((one) => one.close()));
});

test('a task runs in the processes of its installation alone', async () => {
  const runs = { ours: 0, theirs: 0 };
  const log = createLog('silent');
  const start = ({ databaseUrl }: Service, name: keyof typeof runs, everySeconds: number) =>
    startQueue(databaseUrl, { shared: { everySeconds, run: async () => void runs[name]++ } }, log);
  const queues = [start(ours.service, 'ours', 1), start(theirs.service, 'theirs', 3_600)];
  // That of the second is due an hour later, whenever the first one runs.
  await vi.waitFor(() => expect(runs.ours).toBeGreaterThan(4), 60_000);
  expect(runs.theirs).toBe(0);
  await Promise.all(queues.map((queue) => queue.stop()));
});

test('a process of another installation is no other instance of this one', async () => {
  const nameOf = async ({ context }: Service) =>
    (await sql<{ name: string }>`select current_setting('application_name') as name`.execute(context.db)).rows[0]!.name;
  const [kind, , tag] = (await nameOf(theirs.service)).split(' ');
  expect(tag).toBe(theirs.service.context.signer.fingerprints[0]);
  const client = new pg.Client({
    connectionString: first.databaseUrl,
    application_name: `${kind} ${randomUUID()} tag`,
  });
  await client.connect();
  const unnamed = createDb(theirs.service.databaseUrl, 1, () => {});
  expect(await otherInstances(theirs.service.context.db)).toEqual(['tag']);
  expect(await otherInstances(ours.service.context.db)).toEqual([]);
  expect(await otherInstances(first.context.db)).toEqual([]);
  // A pooler passes no name on, and a process behind one must still see the others.
  await sql`set application_name = ''`.execute(unnamed);
  expect(await otherInstances(unnamed)).toEqual(['tag']);
  await unnamed.destroy();
  await client.end();
});

test('a server is checked for the schema of the installation', async () => {
  await checkServer(ours.service.databaseUrl, { connections: 2, durable: false, poolerUrl: null });
  const url = `${first.databaseUrl}&schema=taken`;
  const client = new pg.Client({ connectionString: first.databaseUrl });
  await client.connect();
  await client.query('create schema taken; revoke create on schema taken from current_user');
  await expect(checkServer(url, { connections: 2, durable: false, poolerUrl: null })).rejects.toThrow(
    'The role may not create tables in the schema taken.\n    create schema if not exists taken; grant usage, create on schema taken to',
  );
  await client.query('drop schema taken');
  await client.end();
});
