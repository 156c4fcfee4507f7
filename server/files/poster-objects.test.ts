import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFile, openTestStorage, reachable, storageKinds, type TestStorage } from '../../test/support/files.ts';
import { createStudio, type Studio } from '../../test/support/jobs.ts';
import { closeAccount, signUp } from '../../test/support/people.ts';
import { blackPng } from '../../test/support/pictures.ts';
import { deleteExpiredFiles } from './delete-expired-files.ts';
import { claimStorage } from './installation.ts';
import { makePosters } from './make-posters.ts';
import { newPosterKey } from './poster-url.ts';
import { restoreTrash, sweepOrphans } from './sweep-storage.ts';

describe.each(storageKinds)('posters in the storage %s', (kind) => {
  let storage: TestStorage;
  let studio: Studio;
  beforeAll(async () => {
    storage = await openTestStorage(kind);
    studio = await createStudio(storage.env);
    expect(await claimStorage(studio.service.context)).toBeNull();
  });
  afterAll(async () => {
    await studio?.service.close();
    await storage?.close();
  });

  const going = new AbortController().signal;
  const posters = async () => (await storage.keys()).filter((key) => key.includes('posters/'));
  const withPoster = async (as = studio.key, changes = {}) => {
    const { id } = await newFile(studio.service, as, blackPng(9, 9), changes);
    await makePosters(studio.service.context, going);
    const { body } = await studio.service.call('GET', `/api/v1/files/${id}`, { as });
    return { id, url: reachable(studio.service, body.file.poster) };
  };

  test('are read by their signed URL', async () => {
    const { url } = await withPoster();
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(8, 12)
        .toString(),
    ).toBe('WEBP');
  });

  test('200 to HEAD: the headers of the GET', async () => {
    const { url } = await withPoster();
    const [head, whole] = [await fetch(url, { method: 'HEAD' }), await fetch(url)];
    for (const name of ['content-length', 'content-type', 'content-disposition', 'cache-control'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    const bytes = (await whole.arrayBuffer()).byteLength;
    expect([head.status, Number(head.headers.get('content-length')), await head.text()]).toEqual([200, bytes, '']);
  });

  test('are deleted at the end of retention', async () => {
    const { url } = await withPoster(studio.key, { retention_days: 1 });
    const before = await posters();
    const { db, storage: objects } = studio.service.context;
    await sql`update files set uploaded_at = now() - interval '2 days' where retention_days = 1`.execute(db);
    await deleteExpiredFiles(db, objects, going);
    expect((await posters()).length).toBe(before.length - 1);
    expect((await fetch(url)).status).toBe(404);
  });

  test('are deleted with an account that is closed', async () => {
    const before = await posters();
    const person = await signUp(studio.service);
    const { url } = await withPoster(person.token);
    await closeAccount(studio.service, person);
    expect(await posters()).toEqual(before);
    expect((await fetch(url)).status).toBe(404);
  });

  test('stay in a sweep; one without a row goes to the trash and comes back', async () => {
    await withPoster();
    const ours = await posters();
    const orphan = newPosterKey();
    await storage.write(orphan, blackPng(9, 9));
    for (const key of await posters()) await storage.age(key, 25);
    const dry = await sweepOrphans(studio.service.context, going, { dryRun: true });
    expect(dry.orphans).toEqual([orphan]);
    expect((await sweepOrphans(studio.service.context, going)).moved).toBe(1);
    const after = await posters();
    expect(after).toEqual(expect.arrayContaining(ours));
    expect(after.filter((key) => key.startsWith('trash/') && key.endsWith(orphan))).toHaveLength(1);
    expect(await restoreTrash(studio.service.context.storage)).toBe(1);
    expect((await posters()).toSorted()).toEqual([...ours, orphan].toSorted());
  });

  test('left behind by a deletion that was cut off are deleted by the sweep, not put into the trash', async () => {
    const { id } = await withPoster();
    const keys = await posters();
    await storage.down();
    const { status } = await studio.service.call('DELETE', `/api/v1/files/${id}`, { as: studio.key });
    await storage.up();
    expect(status).toBe(503);
    expect(await posters()).toEqual(keys);
    for (const key of keys) await storage.age(key, 25);
    const before = keys.filter((key) => key.startsWith('trash/')).length;
    await sweepOrphans(studio.service.context, going);
    const after = await posters();
    expect(after.filter((key) => key.startsWith('posters/')).length).toBeLessThan(keys.length);
    expect(after.filter((key) => key.startsWith('trash/')).length).toBeLessThanOrEqual(before + 1);
  });
});
