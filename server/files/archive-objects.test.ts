import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createArchive, namesIn } from '../../test/support/archives.ts';
import { bytesOf, openTestStorage, reachable, storageKinds, type TestStorage } from '../../test/support/files.ts';
import { createStudio, type Studio } from '../../test/support/jobs.ts';
import { deliverFiles } from '../../test/support/review-links.ts';
import { readId } from '../lib/id.ts';

describe.each(storageKinds)('an archive from the storage %s', (kind) => {
  let storage: TestStorage;
  let studio: Studio;
  beforeAll(async () => {
    storage = await openTestStorage(kind);
    studio = await createStudio(storage.env);
  });
  afterAll(async () => {
    await studio?.service.close();
    await storage?.close();
  });

  test('is whole, and breaks off at a file whose object is missing', async () => {
    const { job, files } = await deliverFiles(studio, 'one.png', 'two.png');
    const archive = await createArchive(studio, studio.key, job, { round: 0 });
    expect(await namesIn(studio, archive)).toEqual(['one.png', 'two.png']);
    const { db, storage: objects } = studio.service.context;
    const { object_key } = await db
      .selectFrom('files')
      .select('object_key')
      .where('id', '=', readId('file', files[1] ?? ''))
      .executeTakeFirstOrThrow();
    await objects.remove(object_key ?? '');
    await expect(fetch(reachable(studio.service, archive.body.download.url)).then(bytesOf)).rejects.toThrow();
  });
});
