import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { migrate } from '../../server/db/migrate.ts';
import { startDebianPostgres } from '../support/debian-postgres.ts';
import { newFile, openTestStorage, someBytes } from '../support/files.ts';
import { createStudio } from '../support/jobs.ts';
import { queryAt } from './postgres.ts';
import { openFolder, removeFolder, run } from './process.ts';
import { openSmallDisk, type SmallDisk } from './small-disk.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

let folder: string;
let disk: SmallDisk;
beforeEach(async () => {
  [folder, disk] = [await openFolder(), await openSmallDisk(8)];
});
afterEach(async () => {
  await disk.close();
  await removeFolder(folder);
});

/** Refused with one line that names the folder, and one that says what to do. */
async function refuse(words: string[], env: Record<string, string>, folder: string): Promise<void> {
  const { ended, said } = run(env, { program: ['cli/admin.ts', ...words] });
  expect(await ended, said()).toBe(1);
  expect(said()).toMatch(new RegExp(`^error: The disk of ${folder} is full\\.\\n  action      .+\\n$`));
}

/** A studio on Debian's Postgres with files of 12 MB in all. */
async function openStudio() {
  const [postgres, storage] = [await startDebianPostgres(15), await openTestStorage('file')];
  await migrate(postgres.url);
  const studio = await createStudio(storage.env, { databaseUrl: postgres.url });
  for (let n = 0; n < 24; n++) await newFile(studio.service, studio.key, someBytes(2 ** 19));
  await studio.service.close();
  return {
    env: { DATABASE_URL: postgres.url, DATA_DIR: folder, ...storage.env },
    url: postgres.url,
    async close() {
      await storage.close();
      await postgres.stop();
    },
  };
}

test('own Postgres: full while the files, the dump or the first folder is written; nothing is left', async () => {
  const studio = await openStudio();
  await mkdir(join(disk.folder, 'other'));
  for (let n = 0; n < 6; n++) {
    await refuse(['backup', join(disk.folder, 'monday')], studio.env, disk.folder);
    expect(await readdir(disk.folder)).toEqual(['other']);
  }
  for (const left of [2 ** 15, 0]) {
    disk.fill(left);
    await refuse(['backup', disk.folder, '--daily'], studio.env, disk.folder);
    expect((await readdir(disk.folder)).toSorted()).toEqual(['filler', 'other']);
    disk.empty();
  }

  const backup = join(folder, 'backup');
  expect(await run(studio.env, { program: ['cli/admin.ts', 'backup', backup] }).ended).toBe(0);
  const full = { ...studio.env, TMPDIR: disk.folder };
  await refuse(['restore', backup, '--verify'], full, disk.folder);
  expect(await readdir(disk.folder)).toEqual(['other']);
  const databases = await queryAt<{ datname: string }>(studio.url, `select datname from pg_database`);
  expect(databases.filter(({ datname }) => datname.startsWith('atelier_verify'))).toEqual([]);

  await queryAt(studio.url, 'create database other');
  const to = { ...studio.env, DATABASE_URL: studio.url.replace('/atelier?', '/other?') };
  const files = join(disk.folder, 'files');
  await refuse(['restore', backup, '--moved'], { ...to, STORAGE_URL: `file:${files}` }, files);
  await studio.close();
});

test('embedded: full while the cluster is copied, restored or verified; no half cluster is left', async () => {
  const env = { DATA_DIR: join(folder, 'from') };
  expect(await run(env, { program: ['cli/admin.ts', 'migrate'] }).ended).toBe(0);
  await refuse(['backup', disk.folder, '--daily', '--verify'], env, disk.folder);
  expect(await readdir(disk.folder)).toEqual([]);

  const backup = join(folder, 'backup');
  expect(await run(env, { program: ['cli/admin.ts', 'backup', backup] }).ended).toBe(0);
  await refuse(['restore', backup, '--verify'], { ...env, TMPDIR: disk.folder }, disk.folder);
  expect(await readdir(disk.folder)).toEqual([]);
  const to = join(disk.folder, 'to');
  await refuse(['restore', backup], { DATA_DIR: to }, to);
  const left = (await readdir(to, { recursive: true })).filter((name) => name.includes('cluster'));
  expect(left).toEqual([]);
});
