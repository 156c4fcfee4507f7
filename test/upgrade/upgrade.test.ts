import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { checkDatabase } from '../../server/check/check-database.ts';
import { createDb } from '../../server/db/pool.ts';
import { migrationNames } from '../../server/db/migration-files.ts';
import { openFolder, removeFolder, run, type Run } from '../faults/process.ts';
import { addressOf, makeCustomer } from '../support/service-process.ts';
import { sendOrders } from './traffic.ts';
import { makeVersion, readReleases, secretKey, type Version } from './versions.ts';

/** The next version adds before it uses; the one after it removes what is used no more. */
const expand = {
  '9000_headlines': `
    alter table jobs add column headline text;
    create index on jobs (account_id, headline) where headline is not null;
    create table headlines (id uuid primary key default uuidv7(), text text not null);`,
};
const contract = { ...expand, '9001_no_headlines': 'drop table headlines; alter table jobs drop column headline;' };

const releases = await readReleases();

test('the newest release is the version of this code, or one before it', async () => {
  const names = await migrationNames();
  expect(releases.length).toBeGreaterThan(0);
  for (const { migrations } of releases) expect(names.slice(0, migrations.length)).toEqual(migrations);
});

describe.each(releases)('from $version', ({ version, migrations, rows }) => {
  let url: string;
  let folder: string;
  let server: pg.Client;
  const versions: Version[] = [];
  const make = async (terms: Parameters<typeof makeVersion>[0]) => {
    const made = await makeVersion(terms);
    versions.push(made);
    return made;
  };

  beforeAll(async () => {
    const template = new URL(inject('templateUrl'));
    server = new pg.Client(template.href);
    await server.connect();
    const name = `upgrade_${randomUUID().replaceAll('-', '')}`;
    await server.query(`create database ${name} encoding 'UTF8' template template0`);
    url = Object.assign(new URL(template), { pathname: `/${name}` }).href;
    folder = await openFolder();
  });
  afterAll(async () => {
    await server.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
    await server.end();
    for (const { remove } of versions) await remove();
    await removeFolder(folder);
  });

  const settings = () => ({ DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY: secretKey });

  async function migrate(of: Version): Promise<void> {
    const { ended, said } = run(settings(), { program: ['cli/admin.ts', 'migrate'], folder: of.folder });
    expect(await ended, said()).toBe(0);
  }

  async function insert(text: string): Promise<void> {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(text);
    await client.end();
  }

  async function start(of: Version): Promise<Process> {
    const running = run({ ...settings(), PORT: '0', LOG_LEVEL: 'info' }, { folder: of.folder });
    return { url: await addressOf(running), stop: () => stop(running) };
  }

  test('two versions in turn, side by side under traffic: no request fails, and nothing is lost', async () => {
    const known = await migrationNames();
    const released = await make({ version, migrations });
    // Its code is that of today, which needs today's schema.
    const current = await make({ version: '99.0.0', migrations: known });
    const next = await make({ version: '99.1.0', migrations: known, more: expand });
    const after = await make({ version: '99.2.0', migrations: known, more: contract });

    await migrate(released);
    await insert(rows);
    const first = await start(current);
    const key = await makeCustomer(first.url, folder, url, { SECRET_KEY: secretKey });
    const traffic = sendOrders(key, first.url);
    await wait(1_000);
    const moveTo = async (to: Process, from: Process) => {
      await traffic.moveTo(to.url);
      await from.stop();
      return to;
    };
    const second = await moveTo(await start(next), first);
    const third = await moveTo(await start(after), second);
    const { failures, acknowledged } = await traffic.end();
    await third.stop();
    expect(failures).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(20);

    const db = createDb(url, 1, () => {}, { patient: true });
    const ids = (await db.selectFrom('jobs').select('customer_title').execute()).map((job) => job.customer_title);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    expect((await checkDatabase(db)).contradictions).toEqual([]);
    await db.destroy();

    await expect(start(released)).rejects.toThrow(/Start version 99\.2\.0 or a newer one/);
  }, 180_000);
});

type Process = { url: string; stop(): Promise<void> };

async function stop({ child, ended }: Run): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}
