import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../faults/process.ts';

/** Of the dumps: their rows have secrets that are encrypted with it. */
export const secretKey = 'of-the-dumps-of-releases-0123456789';

/** What a process needs of the tree. */
const parts = ['catalog', 'cli', 'client', 'contract', 'docs', 'server', 'web/build', 'CHANGELOG.md', 'package.json'];

/** A version in a folder of its own: this code, with the migrations named and more of its own. */
export type Version = { folder: string; version: string; remove(): Promise<void> };

type Terms = { version: string; migrations: readonly string[]; more?: Record<string, string> };

export async function makeVersion({ version, migrations, more = {} }: Terms): Promise<Version> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-version-'));
  for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'migrations'));
  for (const name of migrations)
    await cp(join(root, 'migrations', `${name}.sql`), join(folder, 'migrations', `${name}.sql`));
  for (const [name, text] of Object.entries(more)) await writeFile(join(folder, 'migrations', `${name}.sql`), text);
  const manifest = join(folder, 'package.json');
  const read = JSON.parse(await readFile(manifest, 'utf8')) as object;
  await writeFile(manifest, JSON.stringify({ ...read, version }));
  return { folder, version, remove: () => rm(folder, { recursive: true, force: true }) };
}

export type Release = { version: string; migrations: string[]; rows: string };

/** The dumps of all releases: their migrations, and rows that the demo left on them. */
export async function readReleases(): Promise<Release[]> {
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.sql'));
  return Promise.all(
    files.map(async (file) => {
      const rows = await readFile(join(import.meta.dirname, file), 'utf8');
      const [head = ''] = rows.split('\n', 1);
      return { version: file.replace('.sql', ''), migrations: head.replace('-- ', '').split(' '), rows };
    }),
  );
}
