import { generateIdentity, identityToRecipient } from 'age-encryption';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Manifest } from '../../server/backup/manifest.ts';
import { migrate } from '../../server/db/migrate.ts';
import { startDebianPostgres } from '../support/debian-postgres.ts';
import { newFile, openTestStorage, someBytes } from '../support/files.ts';
import { createStudio } from '../support/jobs.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { openFolder, removeFolder, run } from './process.ts';
import { openSmallDisk } from './small-disk.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

let folder: string;
beforeEach(async () => void (folder = await openFolder()));
afterEach(() => removeFolder(folder));

type Env = Record<string, string | undefined>;

async function admin(words: string[], env: Env, code = 0): Promise<string> {
  const { ended, said } = run(env, { program: ['cli/admin.ts', ...words] });
  expect(await ended, said()).toBe(code);
  return said();
}

const today = () => new Date().toISOString().slice(0, 10);
const names = async (parent: string) => (await readdir(parent)).toSorted();
const compareSums = (cwd: string) => execFileSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd });

const nameOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

/** Names a backup as if it were made so many days ago, and returns its manifest. */
async function age(parent: string, days: number): Promise<Manifest> {
  const file = join(parent, today(), 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  const created_at = new Date(Date.parse(manifest.created_at) - days * 86_400_000).toISOString();
  await writeFile(file, JSON.stringify({ ...manifest, created_at }));
  await rename(join(parent, today()), join(parent, nameOf(days)));
  return manifest;
}

/** More of the same, as far as they are looked at. */
async function makeOld(parent: string, manifest: Manifest, days: number[]): Promise<void> {
  for (const daysAgo of days) {
    const created_at = new Date(Date.parse(manifest.created_at) - daysAgo * 86_400_000).toISOString();
    const old = join(parent, nameOf(daysAgo));
    await mkdir(join(old, 'objects'), { recursive: true });
    await writeFile(join(old, 'manifest.json'), JSON.stringify({ ...manifest, created_at }));
  }
}

test('embedded, each day: named by day, marked once verified, old ones gone, and never the last verified one', async () => {
  const from = { DATA_DIR: join(folder, 'from') };
  const parent = join(folder, 'backups');
  const url = `postgres://atelier@localhost:5432/atelier?host=${encodeURIComponent(join(from.DATA_DIR, 'postgres/socket'))}&sslmode=disable`;
  const service = await startServiceProcess(from, url);
  const daily = ['backup', parent, '--daily'];

  expect(await admin([...daily, '--verify'], from)).toMatch(/No old backup was removed[^]*no contradiction/);
  await makeOld(parent, await age(parent, 90), [89, 60, 61, 62, 63, 64, 65, 66, 67]);
  const verified = nameOf(90);
  // A restore accepts the mark, and the sums do not have it.
  expect(await names(join(parent, verified))).toContain('verified.json');
  compareSums(join(parent, verified));
  const made = JSON.parse(await admin([...daily, '--json'], from));
  expect(made.backup.folder).toBe(join(parent, today()));
  expect(made.removed.length).toBeGreaterThan(0);
  expect(await names(parent)).toEqual(expect.arrayContaining([verified, today()]));
  expect((await names(parent)).filter((name) => made.removed.includes(name))).toEqual([]);

  // Two at once: neither takes the name of the other, or removes it.
  const both = await Promise.all([admin([...daily, '--verify'], from), admin([...daily, '--verify'], from)]);
  const folders = both.map((said) => /^(\S+) has the database/m.exec(said)?.[1] ?? '');
  for (const each of folders) {
    expect(each).toMatch(/\/\d{4}-\d\d-\d\dT\d{4}$/);
    expect(existsSync(join(each, 'verified.json'))).toBe(true);
  }
  expect(new Set(folders).size).toBe(2);
  await service.stop();

  const to = { DATA_DIR: join(folder, 'to') };
  expect(await admin(['restore', folders[0]!], to)).toContain('no contradiction');
});

test('own Postgres and a bucket, encrypted; what cannot be removed costs no backup; damage takes the mark away', async () => {
  const [postgres, storage, disk] = [
    await startDebianPostgres(15),
    await openTestStorage('s3'),
    await openSmallDisk(1),
  ];
  await migrate(postgres.url);
  const studio = await createStudio(storage.env, { databaseUrl: postgres.url });
  await newFile(studio.service, studio.key, someBytes());
  await studio.service.close();
  const identity = await generateIdentity();
  const key = join(folder, 'key');
  await writeFile(key, identity);
  const aws = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  const env = { DATABASE_URL: postgres.url, DATA_DIR: folder, ...aws, ...storage.env };
  const parent = join(folder, 'backups');
  const daily = ['backup', parent, '--daily', '--encrypt-to', await identityToRecipient(identity)];
  await admin([...daily, '--verify', '--identity', key], env);
  await makeOld(parent, await age(parent, 40), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 70, 69, 68, 67, 66]);
  // A disk is mounted inside, as one way in which removing fails for root, too.
  const busy = nameOf(70);
  execFileSync('mount', ['--bind', disk.folder, join(parent, busy, 'objects')]);
  try {
    const said = await admin([...daily, '--verify', '--identity', key], env, 1);
    expect(said).toMatch(/Could not be removed: .*EBUSY[^]*no contradiction/);
    compareSums(join(parent, today()));
    expect(await names(parent)).toContain(today());
  } finally {
    const left = (await names(parent)).find((name) => name.startsWith(busy))!;
    execFileSync('umount', ['-l', join(parent, left, 'objects')]);
  }

  const mark = join(parent, today(), 'verified.json');
  const restore = ['restore', join(parent, today()), '--verify', '--identity', key];
  await writeFile(mark, 'older');
  expect(await admin(restore, env)).toContain('no contradiction');
  expect(await readFile(mark, 'utf8')).toContain('verified_at');
  await writeFile(join(parent, today(), 'database.dump'), 'damaged');
  expect(await admin(restore, env, 1)).toContain('database.dump is missing or changed');
  expect(existsSync(mark)).toBe(false);
  for (const opened of [storage, disk]) await opened.close();
  await postgres.stop();
});
