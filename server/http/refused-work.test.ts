import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { batch } from '../db/batch.ts';
import { transact } from '../db/pool.ts';
import { createHttp } from './server.ts';

/** Routes with a short deadline, on a real Postgres where another transaction holds a lock. */

const answerWithin = 2_000;

let service: Service;
let app: Awaited<ReturnType<typeof createHttp>>;
let origin: string;
let other: pg.Client;
let lines: string[];

// Of its own: it makes tables and functions.
beforeAll(async () => {
  service = await createService();
  const { db, metrics, signer } = service.context;
  await sql`create table notes (id int primary key, words text)`.execute(db);
  await sql`insert into notes values (1, 'before'), (2, 'before')`.execute(db);
  // Makes the commit slow.
  await sql`create function sleep() returns trigger language plpgsql as $$ begin perform pg_sleep(3); return null; end $$`.execute(
    db,
  );
  await sql`create table slow_notes (id int)`.execute(db);
  await sql`create constraint trigger slow after insert on slow_notes deferrable initially deferred for each row execute function sleep()`.execute(
    db,
  );
  other = new pg.Client({ connectionString: service.databaseUrl });
  await other.connect();

  lines = [];
  const log = pino({ level: 'warn' }, new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }));
  app = await createHttp(log, metrics, 'http://localhost:3000', [], signer);
  const config = { answerWithin };
  const write = sql`update notes set words = 'after' where id = 1`;
  app.get('/transaction', { config }, () =>
    transact(db, async (trx) => {
      await sql`insert into notes values (3, 'new')`.execute(trx);
      await write.execute(trx);
      return { done: true };
    }),
  );
  app.get('/statement', { config }, async () => ({ rows: Number((await write.execute(db)).numAffectedRows) }));
  app.get('/commit', { config }, () =>
    transact(db, async (trx) => {
      await sql`insert into slow_notes values (1)`.execute(trx);
      return { done: true };
    }),
  );
  app.get('/next', { config }, async () => {
    await sql`select words from notes where id = 1 for share`.execute(db);
    await sql`update notes set words = 'after' where id = 2`.execute(db);
    return { done: true };
  });
  const read = batch(
    async (ids: readonly number[]) => {
      const { rows } = await sql<{ id: number }>`select id from notes where id in (${sql.join(ids)})`.execute(db);
      return ids.map((id) => rows.some((row) => row.id === id));
    },
    { maxBatchSize: 10, maxInFlight: 1 },
  );
  app.get('/late-read', { config }, async () => {
    await wait(answerWithin + 200);
    return { isStored: await read(1) };
  });
  app.get('/read', async () => {
    await wait(200);
    return { isStored: await read(2) };
  });
  app.get('/throws', { config }, async () => {
    await wait(answerWithin + 100);
    throw new Error('later');
  });
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => void lines.splice(0));
afterAll(async () => {
  await app.close();
  await other.end();
  await service.close();
});

const get = async (path: string) => {
  const answer = await fetch(origin + path);
  return { status: answer.status, body: await answer.json() };
};
const words = async () =>
  (await other.query<{ words: string }>('select words from notes order by id')).rows.map((row) => row.words);
const lock = async () => {
  await other.query('begin');
  await other.query('select from notes where id = 1 for update');
};

const oneLine = () => {
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, msg: 'no answer within the deadline' });
  expect(lines[0]).not.toContain('stack');
};

test.each(['/transaction', '/next'])(
  '503 service_unavailable: nothing is written after the lock is gone, %s',
  async (path) => {
    await lock();
    expect((await get(path)).status).toBe(503);
    await other.query('commit');
    await wait(300);
    expect(await words()).toEqual(['before', 'before']);
    oneLine();
  },
);

test('503 service_unavailable: an error after the answer adds no second log line', async () => {
  expect((await get('/throws')).status).toBe(503);
  await wait(200);
  oneLine();
});

test('200: a single write statement may finish after the deadline, and the answer reports it', async () => {
  await lock();
  const answer = get('/statement');
  await wait(answerWithin + 300);
  await other.query('commit');
  expect(await answer).toEqual({ status: 200, body: { rows: 1 } });
  expect(await words()).toEqual(['after', 'before']);
  await other.query(`update notes set words = 'before'`);
  expect(lines).toEqual([]);
});

test('200: a commit that began before the deadline finishes, and the answer reports it', async () => {
  expect(await get('/commit')).toEqual({ status: 200, body: { done: true } });
  expect((await other.query('select from slow_notes')).rowCount).toBe(1);
  expect(lines).toEqual([]);
});

test('a refused request that shares a read statement does not refuse the others', async () => {
  const late = get('/late-read');
  await wait(answerWithin);
  const others = [get('/read'), get('/read')];
  expect((await late).status).toBe(503);
  for (const answer of await Promise.all(others)) expect(answer).toEqual({ status: 200, body: { isStored: true } });
});
