import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deleteExpiredFiles } from '../../server/files/delete-expired-files.ts';
import { adoptStorage, claimStorage, haltSweeps } from '../../server/files/installation.ts';
import { restoreTrash, sweepOrphans, sweepStorage } from '../../server/files/sweep-storage.ts';
import {
  bytesOf,
  download,
  newFile,
  openTestStorage,
  someBytes,
  storageKinds,
  type TestStorage,
} from '../support/files.ts';
import { createService, type Service } from '../support/harness.ts';
import { createStudio, type Studio } from '../support/jobs.ts';

const signal = new AbortController().signal;
const orphanKey = () => `files/${randomUUID()}.pdf`;
const inTrash = (key: string) => key.startsWith('trash/');

/** The database as it is now, under another name: what a restored dump or a staging copy is. */
async function copyOf(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const copy = `copy_${randomUUID().replaceAll('-', '')}`;
  const source = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  for (;;) {
    try {
      await client.query(`create database ${copy} template ${source}`);
      break;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== '55006') throw error; // its connections are being closed
      await wait(100);
    }
  }
  await client.end();
  url.pathname = `/${copy}`;
  return url.href;
}

/** The copy of a disk or a base backup: the cluster and the number of its database are those of the original. */
async function physicalCopyOf(databaseUrl: string): Promise<string> {
  const url = await copyOf(databaseUrl);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    update installation set database = system_identifier || '/' || d.oid || '/' || current_schema()
    from pg_control_system(), pg_database d where d.datname = current_database()`);
  await client.end();
  return url;
}

describe.each(storageKinds)('on the storage %s', (kind) => {
  let storage: TestStorage;
  let studio: Studio;
  let service: Service;
  const opened: Service[] = [];
  const open = async (databaseUrl?: string) => {
    const one = await createService(storage.env, databaseUrl === undefined ? {} : { databaseUrl });
    opened.push(one);
    return one;
  };
  beforeEach(async () => {
    storage = await openTestStorage(kind);
    studio = await createStudio(storage.env);
    service = studio.service;
    opened.push(service);
    expect(await claimStorage(service.context)).toBeNull();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await storage.close();
  });
  const close = (one: Service) => {
    opened.splice(opened.indexOf(one), 1);
    return one.close();
  };

  const objects = async () => (await storage.keys()).filter((key) => /^(files|uploads)\//.test(key)).toSorted();
  const ageAll = async () => {
    for (const key of await objects()) await storage.age(key, 48);
  };
  /** The task of a process, with what it logged. */
  async function sweep({ context }: Pick<Service, 'context'>) {
    const lines: string[] = [];
    const log = Object.assign(Object.create(context.log) as typeof context.log, {
      error: (_: object, message: string) => lines.push(`error: ${message}`),
      info: (_: object, message: string) => lines.push(`info: ${message}`),
      warn: () => {},
    });
    await sweepStorage({ ...context, log }, signal);
    return lines;
  }

  test('a fresh database on a used storage: no object goes, and the log says so', async () => {
    for (let count = 0; count < 3; count += 1) await newFile(service, studio.key, someBytes());
    await ageAll();
    const before = await objects();
    const wrong = await open();
    expect(await sweep(wrong)).toEqual([
      expect.stringMatching(/^error: The storage is used by .* Orphans are not swept\.$/),
    ]);
    expect(await sweep(wrong)).toHaveLength(1);
    expect(await objects()).toEqual(before);
  });

  test('a database restored from an older dump: what came after it stays, until the storage is adopted', async () => {
    await newFile(service, studio.key, someBytes());
    await close(service);
    const dump = await copyOf(service.databaseUrl);
    service = await open(service.databaseUrl);
    const newer = await newFile(service, studio.key, someBytes());
    await ageAll();
    const before = await objects();
    const restored = await open(dump);
    expect(await sweep(restored)).toEqual([expect.stringContaining('Orphans are not swept.')]);
    expect(await objects()).toEqual(before);

    await adoptStorage(restored.context);
    await haltSweeps(restored.context.db);
    expect(await sweep(restored)).toEqual([expect.stringMatching(/^info: Orphans are not swept until 20/)]);
    expect(await objects()).toEqual(before);
    await restored.context.db
      .updateTable('installation')
      .set({ sweeps_halted_until: new Date(0) })
      .execute();
    expect(await sweep(restored)).toEqual([]);
    expect(await objects()).toHaveLength(before.length - 1);
    expect((await storage.keys()).filter(inTrash)).toHaveLength(1);

    await restoreTrash(restored.context.storage);
    expect(await objects()).toEqual(before);
    expect((await download(service, studio.key, newer.id)).status).toBe(200);
  });

  test('a staging copy on the production storage: neither sweeps until one adopts it', async () => {
    await newFile(service, studio.key, someBytes());
    await close(service);
    const staging = await open(await copyOf(service.databaseUrl));
    service = await open(service.databaseUrl);
    await newFile(service, studio.key, someBytes());
    expect(await sweep(staging)).toHaveLength(1);
    await newFile(staging, studio.key, someBytes());
    await ageAll();
    const before = await objects();
    expect(before).toHaveLength(3);
    for (const one of [staging, service, staging, service])
      expect(await sweep(one)).toEqual([expect.stringMatching(/^error: The storage is used by/)]);
    expect(await objects()).toEqual(before);
    await adoptStorage(service.context);
    expect(await claimStorage(service.context)).toBeNull();
  });

  const copyPhysically = async () => {
    await newFile(service, studio.key, someBytes());
    expect(await sweep(service)).toEqual([]);
    await close(service);
    const copy = await open(await physicalCopyOf(service.databaseUrl));
    service = await open(service.databaseUrl);
    return copy;
  };
  const sharedByCopies = [expect.stringMatching(/^error: The storage is used by a copy of this database, /)];

  test.each(['original', 'copy'])('a physical copy, and the %s sweeps first: no file of either goes', async (first) => {
    const copy = await copyPhysically();
    const [one, other] = first === 'original' ? [service, copy] : [copy, service];
    expect(await sweep(one)).toEqual([]);
    await newFile(service, studio.key, someBytes());
    await newFile(copy, studio.key, someBytes());
    await ageAll();
    const before = await objects();
    for (const each of [other, one, other, one]) expect(await sweep(each)).toEqual(sharedByCopies);
    expect(await objects()).toEqual(before);
    await adoptStorage(service.context);
    expect(await claimStorage(service.context)).toBeNull();
    expect(await sweep(copy)).toEqual(sharedByCopies);
  });

  test('a sweep that could not write its nonce to the storage: the next one sweeps', async () => {
    const { context } = service;
    const writeOwner = () => Promise.reject(new Error('The storage is read-only.'));
    for (let count = 0; count < 2; count += 1)
      await expect(sweep({ context: { ...context, storage: { ...context.storage, writeOwner } } })).rejects.toThrow();
    for (let count = 0; count < 2; count += 1) expect(await sweep(service)).toEqual([]);
  });

  test('two sweeps of one database at once: both go on, and so does the next one', async () => {
    expect(await Promise.all([sweep(service), sweep(service)])).toEqual([[], []]);
    expect(await sweep(service)).toEqual([]);
  });

  test('a copy on the production storage: neither retention nor the removal of leftovers takes bytes', async () => {
    await newFile(service, studio.key, someBytes());
    await newFile(service, studio.key, someBytes());
    await close(service);
    const staging = await open(await copyOf(service.databaseUrl));
    service = await open(service.databaseUrl);
    await ageAll();
    const before = await objects();
    const { db, storage: files } = staging.context;
    await db
      .updateTable('files')
      .set({ uploaded_at: new Date(0), created_at: new Date(0) })
      .execute();
    await deleteExpiredFiles(db, files, signal);
    expect(await db.selectFrom('files').select('status').execute()).toEqual([
      { status: 'deleted' },
      { status: 'deleted' },
    ]);
    expect(await sweep(staging)).toHaveLength(1);
    expect(await objects()).toEqual(before);
    await adoptStorage(staging.context);
    expect(await sweep(staging)).toEqual([]);
    expect(await objects()).toEqual([]);
  });

  test.runIf(kind === 'file')('half-written files older than a day go with a sweep, if it is not refused', async () => {
    const half = 'tmp/half-written';
    await storage.write(half, Buffer.from('half'));
    await storage.age(half, 48);
    expect(await sweep(await open())).toHaveLength(1);
    expect(await storage.keys()).toContain(half);
    await adoptStorage(service.context);
    await sweep(service);
    expect(await storage.keys()).not.toContain(half);
  });

  test('a refused sweep does not list the storage', async () => {
    const { context } = await open();
    const asked: string[] = [];
    const files = {
      ...context.storage,
      keysBefore: (time: Date) => {
        asked.push(time.toISOString());
        return context.storage.keysBefore(time);
      },
    };
    expect(await sweep({ context: { ...context, storage: files } })).toHaveLength(1);
    expect(asked).toEqual([]);
  });

  test('a dry run writes nothing, neither on an empty storage nor on a used one', async () => {
    const fresh = await openTestStorage(kind);
    const other = await createStudio(fresh.env);
    opened.push(other.service);
    const rows = () => other.service.context.db.selectFrom('installation').selectAll().execute();
    const dryRun = (files = other.service.context.storage) =>
      sweepOrphans({ db: other.service.context.db, storage: files }, signal, { dryRun: true });
    const owner = await storage.read('atelier-installation');
    expect((await dryRun()).refused).toBeNull();
    expect((await dryRun(service.context.storage)).refused?.message).toContain('The storage is used by');
    expect([await rows(), await fresh.keys()]).toEqual([[], []]);
    expect(await storage.read('atelier-installation')).toEqual(owner);
    await close(other.service);
    await fresh.close();
  });

  test('an orphan that cannot be moved is logged, and the others go to the trash', async () => {
    const orphans = [orphanKey(), orphanKey(), orphanKey()].toSorted();
    for (const key of orphans) await storage.write(key, someBytes(1));
    await ageAll();
    const { context } = service;
    const move = async (from: string, to: string) => {
      if (from === orphans[0]) throw new Error('The object is too large.');
      await context.storage.move(from, to);
    };
    const lines = await sweep({ context: { ...context, storage: { ...context.storage, move } } });
    expect(lines).toEqual(['error: could not move an object without a row to the trash']);
    expect(await objects()).toEqual([orphans[0]]);
    expect((await storage.keys()).filter(inTrash)).toHaveLength(2);
  });

  test('two installations that start at once on one storage: one of them holds it at most, and no file goes', async () => {
    const both = await Promise.all([open(), open()]);
    const claims = await Promise.all(both.map(({ context }) => claimStorage(context)));
    expect(claims.filter((claim) => claim === null).length).toBeLessThanOrEqual(1);
    await newFile(service, studio.key, someBytes());
    await ageAll();
    const before = await objects();
    for (const one of [...both, service]) expect(await sweep(one)).toHaveLength(1);
    expect(await objects()).toEqual(before);
  });

  test('a storage with files and no id: no sweep, until it is adopted', async () => {
    const fresh = await openTestStorage(kind);
    const other = await createStudio(fresh.env);
    opened.push(other.service);
    await newFile(other.service, other.key, someBytes());
    const orphan = orphanKey();
    await fresh.write(orphan, someBytes());
    await fresh.age(orphan, 48);
    expect(await sweep(other.service)).toEqual([expect.stringContaining('no record that they belong')]);
    expect(await fresh.keys()).toContain(orphan);
    await adoptStorage(other.service.context);
    expect(await sweep(other.service)).toEqual([]);
    expect(await fresh.keys()).not.toContain(orphan);
    await close(other.service);
    await fresh.close();
  });

  test('an orphan goes to the trash, comes back by restore, and is deleted after 14 days', async () => {
    const file = await newFile(service, studio.key, someBytes());
    const [orphan, bytes] = [orphanKey(), someBytes()];
    await storage.write(orphan, bytes);
    await ageAll();
    const { context } = service;
    expect(await sweepOrphans(context, signal, { dryRun: true })).toMatchObject({ orphans: [orphan], moved: 0 });
    expect(await storage.keys()).toContain(orphan);
    expect(await sweep(service)).toEqual([]);
    const today = new Date().toISOString().slice(0, 10);
    expect((await storage.keys()).filter(inTrash)).toEqual([`trash/${today}/${orphan}`]);
    expect(await bytesOf(await download(service, studio.key, file.id))).toHaveLength(2_000);

    expect(await restoreTrash(context.storage)).toBe(1);
    expect(await storage.read(orphan)).toEqual(bytes);
    await sweep(service); // it is young again
    expect(await storage.keys()).toContain(orphan);

    await storage.age(orphan, 48);
    await sweep(service);
    const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const [old, recent] = [`trash/${dayBefore(15)}/${orphanKey()}`, `trash/${dayBefore(13)}/${orphanKey()}`];
    for (const key of [old, recent]) await storage.write(key, bytes);
    await sweep(service);
    expect((await storage.keys()).filter(inTrash).toSorted()).toEqual([recent, `trash/${today}/${orphan}`]);
  });

  test('a sweep of more than 100 objects and 5 % stops; 100 objects go', async () => {
    const orphans = Array.from({ length: 101 }, orphanKey);
    for (const key of orphans) await storage.write(key, someBytes(1));
    await ageAll();
    expect(await sweep(service)).toEqual([
      'error: The sweep stopped: 101 of 101 objects have no row, more than 100 and 5 %.',
    ]);
    expect(await objects()).toHaveLength(101);
    await service.context.storage.remove(orphans[0] ?? '');
    expect(await sweep(service)).toEqual([]);
    expect(await objects()).toEqual([]);
    expect((await storage.keys()).filter(inTrash)).toHaveLength(100);
  });
});
