import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { createDb } from '../db/pool.ts';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { migrate } from '../db/migrate.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

test('503 service_unavailable: the database could lose what it acknowledged', async () => {
  // The Postgres of the tests runs without fsync, which this probe detects.
  const { status, headers, body } = await service.call('GET', '/readyz');
  expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '2']);
  expect(body.error.message).toContain('fsync');
});

test('503 service_unavailable: a migration is missing', async () => {
  await sql`delete from kysely_migration where name = '0004_jobs'`.execute(service.context.db);
  expect((await service.call('GET', '/readyz')).body.error.message).toContain('0004_jobs');
  await sql`insert into kysely_migration (name, timestamp) values ('0004_jobs', '')`.execute(service.context.db);
});

test('503 service_unavailable: draining', async () => {
  service.context.state.draining = true;
  expect((await service.call('GET', '/readyz')).body.error.message).toContain('stopping');
  service.context.state.draining = false;
});

test('200 ready: a durable database with every migration', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-ready-'));
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres(folder, () => {});
  const db = createDb(postgres.url, 1, () => {});
  await migrate(db);
  await db.destroy();
  const durable = await createService({}, { databaseUrl: postgres.url });
  expect((await durable.call('GET', '/readyz')).body).toEqual({ status: 'ready' });
  await durable.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});
