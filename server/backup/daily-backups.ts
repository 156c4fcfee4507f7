import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Dated, namesToRemove } from './kept-backups.ts';
import { type Manifest, readManifest } from './manifest.ts';

const minute = 60_000;
const abandonedAfter = 2 * 24 * 60 * minute;
const isDaily = (name: string) => /^\d{4}-\d\d-\d\d(?:T\d{4})?$/.test(name);
const isUnfinished = (name: string) => /\.unfinished-\w{6}$/.test(name);
const mark = 'verified.json';

/** The day, and for a second backup of the day its minute, or the next one that is free. In UTC. */
export function dailyTargets(parent: string, now: Date): [string, ...string[]] {
  const times = Array.from({ length: 60 }, (_, n) => new Date(now.getTime() + n * minute).toISOString());
  const names = times.map((time) => time.slice(0, 16).replace(':', ''));
  return [join(parent, now.toISOString().slice(0, 10)), ...names.map((name) => join(parent, name))];
}

/** Says that it was restored and checked, also where its database is lost. It is not among the sums. */
export const markVerified = (folder: string): Promise<void> =>
  writeFile(join(folder, mark), `${JSON.stringify({ verified_at: new Date() })}\n`, { mode: 0o600, flush: true });

export const unmarkVerified = (folder: string): Promise<void> => rm(join(folder, mark), { force: true });

/** `others`: folders named as by day, but of another installation, or no backups. */
export type Removed = { removed: string[]; failed: { name: string; error: unknown }[]; others: number };

/** Removes old backups of the installation that `made` is of, and what killed ones left. */
export async function removeOldBackups(parent: string, made: Manifest): Promise<Removed> {
  const entries = await readdir(parent, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const daily = await Promise.all(names.filter(isDaily).map((name) => readOwn(parent, name, made)));
  const own = daily.filter((backup) => backup !== null);
  const outcome: Removed = { removed: [], failed: [], others: daily.length - own.length };
  for (const name of [...namesToRemove(own, made.created_at), ...names.filter(isUnfinished)])
    try {
      if (await removeUnlessInUse(join(parent, name))) outcome.removed.push(name);
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'; // by another run
      if (!isGone) outcome.failed.push({ name, error });
    }
  return outcome;
}

async function readOwn(parent: string, name: string, { origin }: Manifest): Promise<Dated | null> {
  const folder = join(parent, name);
  const manifest = await readManifest(folder).catch(() => null);
  if (manifest === null || !isDeepStrictEqual(manifest.origin, origin)) return null;
  const { created_at } = manifest;
  return Date.parse(created_at) > 0 ? { name, created_at, verified: existsSync(join(folder, mark)) } : null;
}

/** A backup becomes an unfinished one first, since half of one must never count. */
async function removeUnlessInUse(folder: string): Promise<boolean> {
  if (isUnfinished(folder)) {
    if (Date.now() - (await lastWritten(folder)) < abandonedAfter) return false;
    await rm(folder, { recursive: true });
    return true;
  }
  const leaving = `${folder}.unfinished-${randomBytes(3).toString('hex')}`;
  await rename(folder, leaving);
  await rm(leaving, { recursive: true });
  return true;
}

async function lastWritten(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const within = entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  return Math.max(...(await Promise.all([folder, ...within].map(async (path) => (await stat(path)).mtimeMs))));
}
