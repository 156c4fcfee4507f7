import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
export const dist = join(root, 'web/dist');
/** The build writes it last, so a build that was interrupted has none. */
export const stamp = join(dist, 'fingerprint');

/** Changes with anything that affects the build. */
export function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const folder of ['web', 'client', 'contract'])
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).toSorted())
      if (!/^(dist|e2e)\b|node_modules|\.test\.ts$/.test(name) && /\.\w+$/.test(name))
        hash.update(name).update(readFileSync(join(root, folder, name)));
  return hash.digest('hex');
}

/** `stale`: built from other sources than those beside it. */
export function builtPages(): 'missing' | 'stale' | 'current' {
  if (!existsSync(stamp)) return 'missing';
  return readFileSync(stamp, 'utf8') === fingerprint() ? 'current' : 'stale';
}
