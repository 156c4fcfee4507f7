import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../cli/run.ts';
import { storageFor } from '../../cli/storage.ts';
import { copyObjects } from '../../server/backup/files.ts';
import { PartWriter } from '../../server/backup/parts.ts';
import { checkOwner } from '../../server/doctor/check-storage.ts';
import { deleteExpiredFiles } from '../../server/files/delete-expired-files.ts';
import { makePosters } from '../../server/files/make-posters.ts';
import { moveObjects } from '../../server/files/move-objects.ts';
import { storageTag } from '../../server/files/storage-config.ts';
import { sweepOrphans } from '../../server/files/sweep-storage.ts';
import { readConfig } from '../../server/start/config.ts';
import * as faults from './process.ts';
import { createArchive, namesIn } from '../support/archives.ts';
import { runToEnd } from '../support/command-line.ts';
import {
  bytesOf,
  complete,
  download,
  newFile,
  openTestStorage,
  presign,
  put,
  reachable,
  someBytes,
  storageKinds,
  storageSeenAt,
  type TestStorage,
} from '../support/files.ts';
import { createService, environment, type Service } from '../support/harness.ts';
import { createStudio, newJob, type Studio, uuidOf } from '../support/jobs.ts';
import { twoColours } from '../support/pictures.ts';

const never = new AbortController().signal;
const png = await twoColours(40, 30).png().toBuffer();

const moves = [
  ['file', 'file'],
  ...(storageKinds.includes('s3' as never)
    ? ([
        ['file', 's3'],
        ['s3', 'file'],
      ] as const)
    : []),
] as const;

/** One move from beginning to end, and back: each test goes one step further. */
describe.each(moves)('from the storage %s to the storage %s', (kind, target) => {
  let before: TestStorage;
  let after: TestStorage;
  let studio: Studio;
  let old: Service;
  let switched: Service;
  let folder: string;
  const close: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-move-test-'));
    close.push(() => rm(folder, { recursive: true }));
    before = await openTestStorage(kind);
    after = await openTestStorage(target);
    close.push(before.close, after.close);
    studio = await createStudio(before.env);
    old = studio.service;
    close.push(old.close);
    await old.context.storageWatch.start();
  });
  afterAll(async () => {
    for (const each of close.toReversed()) await each();
  });
  afterEach(() => vi.restoreAllMocks());

  const envOf = (storage: TestStorage) => ({
    ...environment,
    DATABASE_URL: old.databaseUrl,
    DATA_DIR: folder,
    ...storage.env,
  });
  const admin = (storage: TestStorage, ...words: string[]) => runToEnd(run, words, { env: envOf(storage) });
  const move = (storage: TestStorage, ...words: string[]) => admin(storage, 'storage', 'move', ...words);
  const urlOf = ({ env }: TestStorage) => env['STORAGE_URL'] ?? '';
  const tagOf = (storage: TestStorage) => storageTag(readConfig(envOf(storage)).storage);
  const objectsOf = async (storage: TestStorage) =>
    (await storage.keys()).filter((key) => /^(?:files|posters|viewing|uploads)\//.test(key)).toSorted();

  /** A connection as a process with this storage has it. */
  async function openProcess(tag: string): Promise<() => Promise<void>> {
    const application_name = `atelier ${crypto.randomUUID().slice(0, 8)} tag ${tag}`.trim();
    const client = new pg.Client({ connectionString: old.databaseUrl, application_name });
    await client.connect();
    onTestFinished(() => client.end());
    return () => client.end();
  }

  const files: { id: string; bytes: Buffer }[] = [];
  const add = async (service: Service, bytes: Buffer = someBytes()) => {
    const { id } = await newFile(service, studio.key, bytes);
    files.push({ id, bytes });
    return id as string;
  };
  const removed = async (service: Service, id: string) => {
    const { status } = await service.call('DELETE', `/api/v1/files/${id}`, { as: studio.key });
    expect(status).toBe(200);
    files.splice(
      files.findIndex((file) => file.id === id),
      1,
    );
  };
  /** Downloads, archives, posters, pictures for models and `check`, by each process. */
  async function expectAllRead(...services: Service[]): Promise<void> {
    for (const service of services) {
      for (const { id, bytes } of files)
        expect(bytes.equals(await bytesOf(await download(service, studio.key, id))), id).toBe(true);
      const { body } = await service.call('GET', `/api/v1/files?limit=100`, { as: studio.key });
      for (const { poster } of body.files)
        if (poster) expect((await fetch(reachable(service, poster))).status).toBe(200);
      const names = await namesIn({ ...studio, service }, await createArchive({ ...studio, service }, studio.key, job));
      expect(names).toHaveLength(1);
    }
  }

  let job: string;
  let pending: Awaited<ReturnType<typeof presign>>['body'];

  test('refuses what is no other storage of its own, and a process of 0.2.0', async () => {
    await add(old, png);
    await add(old);
    const id = await add(old);
    job = await newJob(old, studio.key, { file_ids: [id] });
    await makePosters(old.context, never);
    expect((await objectsOf(before)).filter((key) => key.startsWith('posters/'))).toHaveLength(1);

    expect(await move(before)).toMatchObject({ code: 1, err: expect.stringContaining('No move is under way') });
    expect((await move(before, urlOf(before))).err).toContain('Name another storage');
    const alias =
      kind === 'file' ? `file:${urlOf(before).slice(5)}/.` : urlOf(before).replace('eu-central-1', 'us-east-1');
    expect((await move(before, alias)).err).toMatch(/is the same storage|Name another/);
    expect((await move(before, 's3://bucket?endpoint=https://me:secret@host')).err).not.toContain('secret');
    const end = await openProcess('');
    expect((await move(before, urlOf(after))).err).toContain('A process of 0.2.0 runs');
    await end();
    await after.write('files/00000000-0000-4000-8000-000000000000.png', png);
    expect((await move(before, urlOf(after))).err).toContain('has files of another installation, or of nobody known');
    await after.unmount();
    expect(await checkOwner(old.context)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  });

  test('copies while the service runs: what it says, and what rests', async () => {
    const { code, out, err } = await move(before, urlOf(after));
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/: 4 objects are there, 4 copied now: \d\.\d MB, \d+(\.\d)? MB\/s\.\nNext: set STORAGE_URL=/);
    expect(await objectsOf(after)).toEqual(await objectsOf(before));
    expect((await move(before)).out).toContain('4 objects are there, 0 copied now');

    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6_000); // later than the last look
    await expectAllRead(old);
    const words =
      /^A move of the files from \S+ to \S+ is under way since \S+Z\. Orphans are not swept until it has ended\.$/;
    expect(await checkOwner(old.context)).toMatchObject([{ status: 'warn', sentence: expect.stringMatching(words) }]);
    await before.age((await objectsOf(before))[0] ?? '', 48);
    const nonce = () => old.context.db.selectFrom('installation').select('nonce').executeTakeFirstOrThrow();
    const was = await nonce();
    const orphan = `files/${crypto.randomUUID()}.png`;
    await before.write(orphan, png);
    await before.age(orphan, 48);
    expect((await sweepOrphans(old.context, never)).refused).toMatchObject({ expected: true });
    expect(await nonce()).toEqual(was);
    expect(await objectsOf(before)).toContain(orphan);
    await old.context.storage.remove(orphan);
    expect(await storageSeenAt(old)).toEqual([null, '1']);
    expect(await storageSeenAt(old, 'sweeps')).toEqual(['rest while the files are moved to another storage', '1']);
    expect((await admin(before, 'storage', 'adopt')).err).toContain('is under way since');
    expect((await move(before, 'file:/elsewhere')).err).toContain('is under way since');
    expect((await move(before, '--end')).err).toContain('STORAGE_URL of this command is still');
  });

  test('two processes, each with another storage: each reads, writes, completes and deletes what the other has', async () => {
    const [uploaded, sent] = [(await presign(old, studio.key, png)).body, (await presign(old, studio.key, png)).body];
    pending = sent;
    switched = await createService(after.env, { databaseUrl: old.databaseUrl });
    close.push(switched.close);
    await switched.context.storageWatch.start();
    expect(await storageSeenAt(switched)).toEqual([null, '1']);
    const fresh = await add(switched);
    await add(old);
    await expectAllRead(old, switched);

    for (const { upload } of [uploaded, sent]) expect((await put(switched, upload, png)).status).toBe(200);
    expect((await complete(switched, studio.key, uploaded.file.id)).status).toBe(200);
    files.push({ id: uploaded.file.id, bytes: png });
    await makePosters(switched.context, never);
    await expectAllRead(old, switched);

    const [first] = files;
    await removed(old, fresh); // which only the new storage has
    await removed(switched, first?.id ?? ''); // which both have
    const other = files.at(-1);
    await old.context.db
      .updateTable('files')
      .set({ uploaded_at: new Date(0) })
      .where('id', '=', uuidOf('file', other?.id ?? ''))
      .execute();
    await deleteExpiredFiles(switched.context.db, switched.context.storage, never);
    files.pop();
    await expectAllRead(old, switched);
    const all = new Set([...(await objectsOf(before)), ...(await objectsOf(after))]);
    const rows = await old.context.db.selectFrom('files').selectAll().where('status', '=', 'uploaded').execute();
    const named = rows.flatMap(({ object_key, poster_key }) => [object_key, poster_key].filter((key) => key !== null));
    expect([...all].filter((key) => !key.startsWith('uploads/')).toSorted()).toEqual([...new Set(named)].toSorted());

    for (const storage of [before, after]) {
      expect((await admin(storage, 'check', '--files')).code).toBe(0);
      const parts = new PartWriter(join(folder, `backup-${storage === before}`), null);
      const backedUp = await copyObjects(await storageFor(old.context.db, readConfig(envOf(storage))), parts);
      expect(backedUp).toBe(new Set(named).size);
    }
  });

  test('ends once no process and no signed upload is left at the old storage', async () => {
    const leave = await openProcess(tagOf(before));
    expect((await move(after, '--end')).err).toContain('1 of the running processes have another STORAGE_URL');
    await leave();
    await openProcess(tagOf(after));
    expect((await move(after, '--end')).err).toMatch(/Uploads that were signed for \S+ may arrive there until \S+Z/);
    await sql`update installation set move = jsonb_set(move, '{switched_at}', '"2026-01-01T00:00:00.000Z"')`.execute(
      old.context.db,
    );
    await sql`update files set created_at = '2025-12-31' where status = 'pending_upload'`.execute(old.context.db);
    expect(await move(after, '--end')).toMatchObject({ code: 0, out: expect.stringContaining('The move has ended.') });

    expect((await complete(switched, studio.key, pending.file.id)).status).toBe(200);
    files.push({ id: pending.file.id, bytes: png });
    await expectAllRead(switched);
    expect(await checkOwner(switched.context)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    expect((await sweepOrphans(switched.context, never)).refused).toBeNull();

    vi.spyOn(old.context.log, 'error').mockImplementation(() => {});
    await old.context.storageWatch.probe();
    expect(vi.mocked(old.context.log.error).mock.calls[0]?.[1]).toContain('were moved to another storage');
    expect((await presign(old, studio.key, png)).status).toBe(503);
    expect((await move(after, '--end')).err).toContain('No move is under way');
    expect((await admin(after, 'check', '--files')).code).toBe(0);
  });

  test('the way back, turned round once before it ends', async () => {
    expect((await move(after, urlOf(before))).code).toBe(0);
    const fresh = await add(switched);
    expect((await move(after, urlOf(after))).out).toContain(`${urlOf(after).split('?')[0]}`);
    expect((await move(after, urlOf(before))).code).toBe(0);
    await removed(switched, fresh);
    expect(await move(before, '--end')).toMatchObject({ code: 0 });
    await old.context.storageWatch.probe();
    await expectAllRead(old);
    expect(await checkOwner(old.context)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  });
});

describe('the copying', () => {
  let before: TestStorage;
  let after: TestStorage;
  let studio: Studio;
  let env: Record<string, string>;
  beforeAll(async () => {
    [before, after] = [await openTestStorage('file'), await openTestStorage('file')];
    studio = await createStudio(before.env);
    await studio.service.context.storageWatch.start();
    env = { ...environment, DATABASE_URL: studio.service.databaseUrl, ...before.env };
  });
  afterAll(async () => {
    await studio.service.close();
    await before.close();
    await after.close();
  });
  const folderOf = ({ env }: TestStorage) => env['STORAGE_URL']?.slice(5) ?? '';
  const move = (...words: string[]) => runToEnd(run, ['storage', 'move', ...words], { env });

  test('killed in the middle, it goes on; a wrong object is copied again', { timeout: 120_000 }, async () => {
    for (let number = 0; number < 40; number++) await newFile(studio.service, studio.key, someBytes(3_000_000));
    const killed = faults.run(env, { program: ['cli/admin.ts', 'storage', 'move', after.env['STORAGE_URL'] ?? ''] });
    const there = () => readdir(join(folderOf(after), 'files')).catch(() => []);
    while ((await there()).length < 5) await wait(2);
    killed.child.kill('SIGKILL');
    expect(await killed.ended, killed.said()).toBe('SIGKILL');
    const [shorter = '', other = ''] = await there();
    expect((await there()).length).toBeLessThan(40);
    await writeFile(join(folderOf(after), 'files', shorter), 'short');
    await writeFile(join(folderOf(after), 'files', other), Buffer.alloc(3_000_000));

    expect((await move()).out).toMatch(/: 40 objects are there, \d+ copied now: \d+\.\d MB, \d+(\.\d)? MB\/s/);
    for (const [name, copied] of [
      [shorter, true],
      [other, false],
    ] as const)
      expect((await after.read(`files/${name}`)).equals(await before.read(`files/${name}`))).toBe(copied);
    expect((await move('--verify')).out).toContain('40 objects are there, 1 copied now: 3.0 MB');
    expect((await after.read(`files/${other}`)).equals(await before.read(`files/${other}`))).toBe(true);
  });

  test('what reads back with other bytes is no copy, and a file deleted meanwhile leaves none', async () => {
    const { context } = studio.service;
    const { own } = context.places;
    const [target] = await context.places.others();
    if (!target) throw new Error('No move is under way.');
    const { id } = await newFile(studio.service, studio.key, png);
    const { storage } = target;
    const terms = { uploads: false, verify: false, progress: (): unknown => null };
    const { object_key: key } = (await context.db
      .selectFrom('files')
      .select('object_key')
      .where('id', '=', uuidOf('file', id))
      .executeTakeFirstOrThrow()) as { object_key: string };
    const misread = { ...storage, open: (name: string) => own.storage.open(name === key ? other : name, 1_000) };
    const other = `files/${(await readdir(join(folderOf(before), 'files')))[0]}`;
    const failing = await moveObjects(context.db, own, { ...target, storage: misread }, terms);
    expect(failing).toMatchObject({ copied: 0, failed: [`${key}: it reads back with other bytes`] });
    expect(existsSync(join(folderOf(after), key))).toBe(false);

    const slow = {
      ...storage,
      writeFile: async (...of: Parameters<typeof storage.writeFile>) => {
        const { status } = await studio.service.call('DELETE', `/api/v1/files/${id}`, { as: studio.key });
        expect(status).toBe(200);
        await storage.writeFile(...of);
      },
    };
    const isLeft: boolean[] = []; // after each part
    const progress = () => isLeft.push(existsSync(join(folderOf(after), key)));
    const moved = await moveObjects(context.db, own, { ...target, storage: slow }, { ...terms, progress });
    expect([moved.copied, moved.failed, isLeft]).toEqual([1, [], [false]]);
    expect(existsSync(join(folderOf(before), key))).toBe(false);
  });

  test('a folder that is not mounted takes nothing', async () => {
    const [mounted, away] = [folderOf(after), `${folderOf(after)}.away`];
    await rename(mounted, away);
    expect((await move()).err).toContain('has no record that it takes the files of this database');
    expect(existsSync(mounted)).toBe(false);
    await rename(away, mounted);
  });

  test('an upload that is completed in the old storage while the move ends is copied', async () => {
    const { context } = studio.service;
    const { body } = await presign(studio.service, studio.key, png);
    expect((await put(studio.service, body.upload, png)).status).toBe(200);
    await sql`update installation set move = jsonb_set(move, '{switched_at}', '"2026-01-01T00:00:00.000Z"')`.execute(
      context.db,
    );
    await sql`update files set created_at = '2025-12-31' where status = 'pending_upload'`.execute(context.db);
    const ending = runToEnd(run, ['storage', 'move', '--end'], { env: { ...env, ...after.env } });
    await expect
      .poll(() => readdir(join(folderOf(after), 'uploads')).catch(() => []), { timeout: 30_000 })
      .toHaveLength(1);
    expect((await complete(studio.service, studio.key, body.file.id)).status).toBe(200);
    expect(await ending).toMatchObject({ code: 0 });
    const { object_key: key } = await context.db
      .selectFrom('files')
      .select('object_key')
      .where('id', '=', uuidOf('file', body.file.id))
      .executeTakeFirstOrThrow();
    expect(existsSync(join(folderOf(after), key ?? ''))).toBe(true);
  });
});
