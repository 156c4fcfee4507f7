import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** `stale`: built from other sources than those beside it. */
export type BuildState = 'missing' | 'stale' | 'current';

function filesIn(source: string): string[] {
  if (source.endsWith('.ts')) return [source];
  return readdirSync(join(root, source), { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^(dist|e2e)\b|node_modules|\.test\.ts$/.test(name) && /\.\w+$/.test(name))
    .toSorted()
    .map((name) => join(source, name));
}

function buildIn(folder: string, sources: string[]) {
  const dist = join(root, folder);
  /** The build writes it last, so a build that was interrupted has none. */
  const stamp = join(dist, 'fingerprint');
  /** Changes with anything that affects the build. */
  const fingerprint = (): string => {
    const hash = createHash('sha256');
    for (const name of ['package-lock.json', ...sources.flatMap(filesIn)])
      hash.update(name).update(readFileSync(join(root, name)));
    return hash.digest('hex');
  };
  const state = (): BuildState => {
    if (!existsSync(stamp)) return 'missing';
    // An image has no sources, so nothing in it can be newer than the build.
    if (!sources.every((source) => existsSync(join(root, source)))) return 'current';
    return readFileSync(stamp, 'utf8') === fingerprint() ? 'current' : 'stale';
  };
  return { dist, stamp, fingerprint, state };
}

export const pages = buildIn('web/dist', ['web', 'client', 'contract']);
export const bundle = buildIn('dist', [
  'server',
  'contract',
  'cli',
  'client',
  'web/build',
  'scripts/bundle.ts',
  'scripts/packages.ts',
]);
