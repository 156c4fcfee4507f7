import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { run } from '../../cli/run.ts';
import { runToEnd } from '../../test/support/command-line.ts';
import {
  bytesOf,
  complete,
  completePage,
  download,
  newFile,
  newUploadPage,
  openTestStorage,
  presign,
  put,
  reachable,
  someBytes,
  storageKinds,
  storageSeenAt,
  type TestStorage,
  wish,
} from '../../test/support/files.ts';
import { createService, environment, type Service } from '../../test/support/harness.ts';
import { createStudio, newJobIn, post, type Studio } from '../../test/support/jobs.ts';
import { createApp } from '../app.ts';
import { checkOwner, checkStorages } from '../doctor/check-storage.ts';
import { doWork } from '../http/work.ts';
import { claimStorage } from './installation.ts';
import { makePosters } from './make-posters.ts';
import type { Storage } from './storage.ts';
import { watchStorage } from './storage-watch.ts';

const unusable = 'does not have the files of this database: uploads and downloads are refused';
const bytes = someBytes();

/** Of the storage of a service, with changes. */
const watchOf = ({ context: { db, storage, places, log, loops } }: Service, changes: Partial<Storage>) => ({
  ...watchStorage(db, { ...places, own: { ...places.own, storage: { ...storage, ...changes } } }, log, loops),
  log,
});

const refusedOf = async ({ status, body, headers }: Awaited<ReturnType<Service['call']>>) =>
  `${status} ${body?.error?.code} ${headers.get('retry-after')}`;
describe.each(storageKinds)('on the storage %s', (kind) => {
  const opened: { close(): Promise<void> }[] = [];
  const open = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const closable = await opening;
    opened.push(closable);
    return closable;
  };
  afterAll(async () => {
    for (const closable of opened.splice(0).toReversed()) await closable.close();
  });
  afterEach(() => vi.restoreAllMocks());

  let storage: TestStorage;
  let studio: Studio;
  let service: Service;
  let folder: string;
  // Of its own, as the others: each test empties or changes the storage of all.
  beforeAll(async () => {
    storage = await open(openTestStorage(kind));
    studio = await createStudio(storage.env);
    service = studio.service;
    opened.push(service);
    await service.context.storageWatch.start();
    folder = mkdtempSync(join(tmpdir(), 'atelier-watch-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const admin = (...words: string[]) =>
    runToEnd(run, words, {
      env: { ...environment, DATABASE_URL: service.databaseUrl, DATA_DIR: folder, ...storage.env },
    });
  const filesOf = ({ context }: Service) => context.db.selectFrom('files').select('id').orderBy('id').execute();

  test('an empty storage under a database with files: nothing is written or lost, and it recovers without a restart', async () => {
    const file = await newFile(service, studio.key, bytes);
    const { body: link } = await post(service, studio.key, `/api/v1/files/${file.id}/download`);
    const { body: pending } = await presign(service, studio.key, bytes);
    const page = await newUploadPage(service, studio.key);
    const job = await newJobIn(studio, 'running');
    const rows = await filesOf(service);
    const log = vi.spyOn(service.context.log, 'error').mockImplementation(() => {});
    await storage.unmount();
    await service.context.storageWatch.probe();

    expect(log.mock.calls).toEqual([
      [
        { action: expect.stringMatching(/^Mount its disk, or correct STORAGE_URL.*storage adopt --empty$/) },
        'The storage is empty. The newest uploaded files of this database are not there: uploads and downloads are refused.',
      ],
    ]);
    const { purpose: _, ...deliverable } = wish(bytes);
    const calls: [as: string, method: string, path: string, body?: object][] = [
      [studio.key, 'POST', '/api/v1/files/presign', wish(bytes)],
      [studio.key, 'POST', '/api/v1/files/text', { file_name: 'notes.txt', text: 'Hello.' }],
      [studio.key, 'POST', `/api/v1/files/${pending.file.id}/complete`],
      [studio.key, 'POST', `/api/v1/files/${file.id}/copy`],
      [studio.key, 'POST', `/api/v1/files/${file.id}/download`],
      [studio.key, 'GET', `/api/v1/files/${file.id}/download`],
      [studio.operator.token, 'POST', `/api/operator/v1/jobs/${job}/files/presign`, deliverable],
    ];
    for (const [as, method, path, body] of calls)
      expect(await refusedOf(await service.call(method, path, { as, body })), path).toBe('503 service_unavailable 5');
    expect(await refusedOf(await completePage(service, page.token))).toBe('503 service_unavailable 5');
    if (kind === 'file') {
      expect((await put(service, pending.upload, bytes)).status).toBe(503);
      expect((await fetch(reachable(service, link.download.url))).status).toBe(503);
    }
    // The bytes of a file that waits for its poster only seem to be gone.
    await expect(makePosters(service.context, new AbortController().signal)).rejects.toThrow('unavailable');
    const posters = service.context.db.selectFrom('files').select('poster_status').where('status', '=', 'uploaded');
    expect(await posters.execute()).toEqual([{ poster_status: 'pending' }]);
    expect(await filesOf(service)).toEqual(rows);
    expect(await storage.keys()).toEqual([]);
    expect(await storageSeenAt(service)).toEqual([unusable, '0']);
    expect(await checkOwner(service.context)).toMatchObject([
      { status: 'fail', sentence: expect.stringContaining('The storage is empty.') },
      { status: 'fail', sentence: `1 of the 1 newest uploaded files are not in the storage: ${file.id}.` },
    ]);
    for (const words of [
      ['storage', 'adopt'],
      ['backup', join(folder, 'one')],
    ])
      expect(await admin(...words)).toMatchObject({ code: 1, err: expect.stringContaining('The storage is empty.') });
    expect(await storage.keys()).toEqual([]);

    await createApp(service.context); // as a process does that starts now

    await storage.mount();
    await expect.poll(async () => (await complete(service, studio.key, pending.file.id)).status).toBe(409); // no bytes yet
    expect((await put(service, pending.upload, bytes)).status).toBe(200);
    expect((await complete(service, studio.key, pending.file.id)).status).toBe(200);
    expect(await bytesOf(await download(service, studio.key, file.id))).toEqual(bytes);
    await service.context.storageWatch.probe();
    expect(await storageSeenAt(service)).toEqual([null, '1']);
  });

  test('another storage than that of the database: its process takes no files, and doctor hears of it', async () => {
    await newFile(service, studio.key, bytes);
    const elsewhere = await open(openTestStorage(kind));
    const other = await open(createService(elsewhere.env, { databaseUrl: service.databaseUrl }));
    const log = vi.spyOn(other.context.log, 'error').mockImplementation(() => {});
    await service.context.db
      .updateTable('installation')
      .set({ storage_problem_at: new Date(0) })
      .execute();
    expect((await checkStorages(service.context.db)).status).toBe('ok');
    await other.context.storageWatch.probe();
    await other.context.storageWatch.probe();
    expect(log).toHaveBeenCalledOnce();
    const hourLater = performance.now() + 3_600_000;
    vi.spyOn(performance, 'now').mockReturnValue(hourLater);
    await other.context.storageWatch.probe();
    vi.mocked(performance.now).mockRestore();
    expect(log).toHaveBeenCalledTimes(2);
    expect((await presign(other, studio.key, bytes)).status).toBe(503);
    expect(await storageSeenAt(other)).toEqual([unusable, '0']);
    expect(await elsewhere.keys()).toEqual([]);
    await newFile(service, studio.key, bytes);
    expect(await checkStorages(service.context.db)).toMatchObject({
      status: 'fail',
      sentence: expect.stringMatching(new RegExp(`^The storage of process ${process.pid} on \\S+ ${unusable}\\.$`)),
    });
  });

  test('two processes of a new installation start at once with different storages: one of them is refused', async () => {
    const [here, there] = [await open(openTestStorage(kind)), await open(openTestStorage(kind))];
    const one = await open(createService(here.env));
    const two = await open(createService(there.env, { databaseUrl: one.databaseUrl }));
    for (const { context } of [one, two]) vi.spyOn(context.log, 'error').mockImplementation(() => {});
    await Promise.all([one, two].map(({ context }) => context.storageWatch.probe()));
    const problems = await Promise.all([one, two].map(async (each) => (await storageSeenAt(each))[0]));
    expect(problems.toSorted()).toEqual([unusable, null]);
    expect(
      [await here.keys(), await there.keys()].filter((keys) => keys.includes('atelier-installation')),
    ).toHaveLength(1);
  });

  test('an installation of 0.2.0, which never noted its claim: nothing is to do', async () => {
    await service.context.db.updateTable('installation').set({ previous_nonce: null }).execute();
    const { id, nonce } = await service.context.db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
    await service.context.storage.writeOwner(`${id} ${nonce}`, { replace: true });
    expect(await claimStorage(service.context)).toBeNull();
    expect((await storage.read('atelier-installation')).toString()).toBe(`${id} ${nonce}`);
    await newFile(service, studio.key, bytes);
  });

  test('files that were copied without the record of their owner: uploads and downloads go on, sweeps do not', async () => {
    const file = await newFile(service, studio.key, bytes);
    await service.context.storage.writeOwner('\n', { replace: true });
    const log = vi.spyOn(service.context.log, 'error').mockImplementation(() => {});
    await service.context.storageWatch.probe();
    expect(log.mock.calls.map(([, text]) => text)).toEqual([expect.stringMatching(/no record.*not swept/)]);
    const unsure = 'may have files of another installation: nothing is swept';
    expect(await storageSeenAt(service, 'sweeps')).toEqual([unsure, '0']);
    expect(await storageSeenAt(service)).toEqual([null, '1']); // whose alert wakes somebody
    expect(await bytesOf(await download(service, studio.key, file.id))).toEqual(bytes);
    await newFile(service, studio.key, bytes);
    expect((await admin('storage', 'adopt')).code).toBe(0);
    await service.context.storageWatch.probe();
    expect(await storageSeenAt(service, 'sweeps')).toEqual([null, '1']);
  });

  test('files that are lost for good: `storage adopt --empty` takes the empty storage', async () => {
    vi.spyOn(service.context.log, 'error').mockImplementation(() => {});
    await storage.unmount();
    await service.context.storageWatch.probe();
    expect((await presign(service, studio.key, bytes)).status).toBe(503);
    expect((await admin('storage', 'adopt', '--empty')).code).toBe(0);
    await service.context.storageWatch.probe();
    await newFile(service, studio.key, bytes);
    expect(await storageSeenAt(service)).toEqual([null, '1']);
  });

  test('a look serves everybody, also when the request that began it was refused', async () => {
    const { storageWatch } = watchOf(service, {});
    const look = await doWork({ refused: true, takesEffect: false }, () => storageWatch.latest());
    expect(look.problem).toBeNull();
  });

  test.runIf(kind === 'file')('a disk that hangs is asked once, and told at the second probe in a row', async () => {
    const hanging = Promise.withResolvers<null>();
    const { readOwner } = service.context.storage;
    const read = vi.fn<Storage['readOwner']>(readOwner);
    const { storageWatch, log } = watchOf(service, { readOwner: read });
    await storageWatch.probe();
    const errors = vi.spyOn(log, 'error').mockImplementation(() => {});
    read.mockClear().mockReturnValue(hanging.promise);
    const problem = 'cannot be read: no answer in time';
    for (const logged of [[], [`The storage ${problem}.`]]) {
      await storageWatch.probe();
      expect((await storageWatch.latest()).problem).toBe(problem);
      expect(errors.mock.calls.map(([, text]) => text)).toEqual(logged);
    }
    expect(read).toHaveBeenCalledOnce();
    hanging.resolve(null);
    read.mockImplementation(readOwner);
    await storageWatch.probe();
    expect((await storageWatch.latest()).problem).toBeNull();
  });
});
