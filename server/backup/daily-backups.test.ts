import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dailyTargets, markVerified, removeOldBackups } from './daily-backups.ts';
import { type Manifest, writeManifest } from './manifest.ts';

let parent: string;
beforeEach(async () => void (parent = await mkdtemp(join(tmpdir(), 'atelier-daily-'))));
afterEach(() => rm(parent, { recursive: true }));

const origin = { public_url: 'https://atelier.example.com', database: '1/atelier' };
const day = 86_400_000;
const now = Date.UTC(2026, 11, 1, 3);

/** Of so many days ago. */
async function backup(daysAgo: number, given: Partial<Manifest> = {}, name?: string): Promise<Manifest> {
  const created_at = new Date(now - daysAgo * day).toISOString();
  const folder = join(parent, name ?? created_at.slice(0, 10));
  await mkdir(join(folder, 'objects'), { recursive: true });
  await writeFile(join(folder, 'SHA256SUMS'), '');
  const manifest = { format: 1, created_at, origin, ...given } as Manifest;
  await writeManifest(folder, manifest);
  return manifest;
}

const names = async () => (await readdir(parent)).toSorted();

test('the day is the name, then its minute, then the next minute', () => {
  const [first, ...others] = dailyTargets('/backups', new Date(Date.UTC(2026, 11, 31, 23, 59, 8)));
  expect(first).toBe('/backups/2026-12-31');
  expect(others.slice(0, 2)).toEqual(['/backups/2026-12-31T2359', '/backups/2027-01-01T0000']);
});

test('old backups go, and what is no backup of this installation stays', async () => {
  for (let ago = 9; ago > 0; ago--) await backup(ago);
  const made = await backup(0);
  // As old as those that go, each by one thing no backup of this rule.
  const folders = ['2026-11-15', 'photos', '2026-11-14-copy', '2026-11-13.d', '2026-11-16T12'];
  for (const name of folders) await mkdir(join(parent, name));
  await writeFile(join(parent, '2026-11-12'), 'a file');
  await backup(16, { format: 2 as 1 }, '2026-11-11');
  await backup(16, { created_at: 'yesterday' }, '2026-11-10');
  await backup(16, { origin: { ...origin, database: '1/other' } }, '2026-11-09');
  await backup(16, { origin: { ...origin, public_url: 'https://other.example.com' } }, '2026-11-08');
  await backup(16, {}, 'before-the-upgrade');
  const stay = await names();
  // Sundays 22 and 29 and the last of November stay by week and month; 25 to 30 and 1 by day.
  expect(await removeOldBackups(parent, made)).toEqual({
    removed: ['2026-11-24', '2026-11-23'],
    failed: [],
    others: 5,
  });
  expect(await names()).toEqual(stay.filter((name) => !['2026-11-23', '2026-11-24'].includes(name)));
});

test('the last verified one stays, by the mark in its folder', async () => {
  for (let ago = 9; ago > 0; ago--) await backup(ago);
  const made = await backup(0);
  for (const name of ['2026-11-23', '2026-11-24']) await markVerified(join(parent, name));
  expect((await removeOldBackups(parent, made)).removed).toEqual(['2026-11-23']);
  await markVerified(join(parent, '2026-11-25'));
  expect((await removeOldBackups(parent, made)).removed).toEqual(['2026-11-24']);
});

test('what killed backups left goes two days after its last write', async () => {
  const made = await backup(0);
  const killed = ['2026-11-20.unfinished-a1b2C3', 'monday.unfinished-a1b2C3', '2026-11-29.unfinished-a1b2C4'];
  for (const name of killed) await mkdir(join(parent, name, 'objects/files'), { recursive: true });
  for (const name of ['monday.unfinished-notes-of-mine', 'unfinished-a1b2C3']) await mkdir(join(parent, name));
  for (const path of await readdir(parent, { recursive: true })) {
    const then = (Date.now() - (path.includes('C4/objects/files') ? 1.9 : 2.1) * day) / 1000;
    await utimes(join(parent, path), then, then);
  }
  const { removed } = await removeOldBackups(parent, made);
  expect(removed.toSorted()).toEqual(killed.slice(0, 2));
  expect(await names()).toHaveLength(4);
});

test('two runs that remove the same at once both succeed', async () => {
  for (let ago = 40; ago > 0; ago--) await backup(ago);
  const made = await backup(0);
  const runs = await Promise.all([1, 2, 3].map(() => removeOldBackups(parent, made)));
  expect(runs.flatMap(({ failed }) => failed)).toEqual([]);
  const removed = runs.flatMap((run) => run.removed);
  expect(new Set(removed).size).toBe(removed.length);
  expect(await names()).toHaveLength(41 - removed.length);
});
