import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFile, openTestStorage, someBytes, storageKinds, type TestStorage } from '../../test/support/files.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { newCustomer } from '../../test/support/jobs.ts';
import { claimStorage, haltSweeps } from '../files/installation.ts';
import { readId } from '../lib/id.ts';
import { checkObjects } from './check-objects.ts';

describe.each(storageKinds)('on the storage %s', (kind) => {
  let storage: TestStorage;
  let service: Service;
  let key: string;
  beforeAll(async () => {
    storage = await openTestStorage(kind);
    service = await createService(storage.env);
    await claimStorage(service.context);
    ({ key } = await newCustomer(service, 'studio'));
  });
  afterAll(async () => {
    await service.close();
    await storage.close();
  });

  async function faults(contents = false): Promise<string[]> {
    const { contradictions } = await checkObjects(service.context, { contents });
    return contradictions.flatMap(({ examples }) => examples.map(({ subject, fault }) => `${subject} ${fault}`));
  }

  async function stored() {
    const { id } = await newFile(service, key, someBytes(3_000));
    const { db } = service.context;
    const row = db.selectFrom('files').select('object_key').where('id', '=', readId('file', id));
    return { id: id as string, object: (await row.executeTakeFirstOrThrow()).object_key ?? '' };
  }

  test('files with their bytes contradict nothing, also after they were read', async () => {
    await stored();
    expect(await faults()).toEqual([]);
    expect(await checkObjects(service.context, { contents: true })).toEqual({ objects: 1, contradictions: [] });
  });

  test('a file without its object is named', async () => {
    const { id, object } = await stored();
    await service.context.storage.remove(object);
    expect(await faults()).toEqual([`${id} has no object ${object}`]);
    await service.context.db.deleteFrom('files').where('id', '=', readId('file', id)).execute();
  });

  test('a file whose object has another size is named', async () => {
    const { id, object } = await stored();
    const { db } = service.context;
    await db.updateTable('files').set({ stored_bytes: 2_999 }).where('id', '=', readId('file', id)).execute();
    expect(await faults()).toEqual([`${id} has 2999 bytes, but its object ${object} has 3000`]);
    await db.updateTable('files').set({ stored_bytes: 3_000 }).where('id', '=', readId('file', id)).execute();
  });

  test('a file without its poster is named', async () => {
    const { id } = await stored();
    const poster = `posters/${randomUUID()}.webp`;
    const made = { poster_status: 'made' as const, poster_key: poster, poster_due_at: null };
    const { db } = service.context;
    await db.updateTable('files').set(made).where('id', '=', readId('file', id)).execute();
    expect(await faults()).toEqual([`${id} has no poster ${poster}`]);
    await db.deleteFrom('files').where('id', '=', readId('file', id)).execute();
  });

  test('an object that was written again is named by its ETag, which a folder does not have', async () => {
    const { id, object } = await stored();
    await service.context.storage.write(object, { contentType: 'image/png', bytes: Buffer.from(someBytes(3_000)) });
    expect(await faults()).toEqual([]);
    const named = kind === 's3' ? [expect.stringMatching(`^${id} was stored with the ETag .*, but its object`)] : [];
    expect(await faults(true)).toEqual(named);
    await service.context.db.deleteFrom('files').where('id', '=', readId('file', id)).execute();
    await service.context.storage.remove(object);
  });

  test('objects of no file, and those of deleted files, are named after two days', async () => {
    const orphan = `files/${randomUUID()}.png`;
    await storage.write(orphan, someBytes());
    const { id, object } = await stored();
    await sql`update files set status = 'deleted', deleted_at = now() where id = ${readId('file', id)}`.execute(
      service.context.db,
    );
    for (const name of [orphan, object]) await storage.age(name, 47);
    expect(await faults()).toEqual([]);
    for (const name of [orphan, object]) await storage.age(name, 49);
    expect(await faults()).toEqual([`${orphan} belongs to no file`]);
    await sql`update files set deleted_at = now() - interval '3 days' where id = ${readId('file', id)}`.execute(
      service.context.db,
    );
    expect((await faults()).toSorted()).toEqual(
      [`${orphan} belongs to no file`, `${object} belongs to a file that was deleted`].toSorted(),
    );
  });

  test('while sweeps are halted, no orphan is named; in the storage of another database, that is named instead', async () => {
    await haltSweeps(service.context.db);
    expect(await faults()).toEqual([]);
    await sql`update installation set id = gen_random_uuid()`.execute(service.context.db);
    expect(await faults()).toEqual([expect.stringContaining('STORAGE_URL: The storage is used by')]);
  });
});
