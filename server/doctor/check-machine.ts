import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type DiskSpace, freeShare, isDiskNearlyFull, measureDisk } from '../lib/disk-space.ts';
import { buildOf } from '../pages/serve-pages.ts';
import { fail, type Finding, ok, warn } from './run-checks.ts';

const low = 0.1;

type Measure = (folder: string) => Promise<DiskSpace>;

/** Of the disks that hold these folders. */
export async function checkDisks(folders: readonly string[], measure: Measure = measureDisk): Promise<Finding[]> {
  return Promise.all([...new Set(folders)].map((folder) => checkDisk(folder, measure)));
}

async function checkDisk(folder: string, measure: Measure): Promise<Finding> {
  const space = await measure(folder);
  const free = freeShare(space);
  const sentence = `${(free * 100).toFixed(free < low ? 1 : 0)} % of the disk of ${folder} is free.`;
  const action = 'Free space on it, or make it larger: du -xh --max-depth=2 shows what is large.';
  if (isDiskNearlyFull(space)) return fail(sentence, action);
  if (free < low) return warn(sentence, action);
  if (!existsSync(folder))
    return warn(
      `The folder ${folder} does not exist.`,
      'Mount it if it is a disk of its own; otherwise the service makes it at its start.',
    );
  return ok(sentence);
}

const fewestFiles = 4_096;

/** Of this process: that of the service is the same only if both are started the same way. */
export async function checkOpenFiles(limits = '/proc/self/limits'): Promise<Finding> {
  const text = await readFile(limits, 'utf8').catch(() => null); // only Linux has it
  const limit = /^Max open files +(\S+)/m.exec(text ?? '')?.[1];
  if (limit === undefined) return ok('This system does not tell how many files a process may open.');
  const sentence = `A process that is started like this one may open ${limit} files and connections.`;
  if (limit === 'unlimited' || Number(limit) >= fewestFiles) return ok(sentence);
  return warn(sentence, `Start the service with at least ${fewestFiles}: LimitNOFILE= of systemd, or ulimit -n.`);
}

/** `stale`: built from other sources than those beside them, which `npm run serve` refuses. */
export type BuiltPages = 'missing' | 'stale' | 'current';

const action = 'Run: npm run build';

export async function checkPages(built: BuiltPages, pagesDir: string): Promise<Finding> {
  if (built === 'missing') return fail('The web pages are not built.', action);
  if (built === 'stale') return fail('The web pages were built from other sources than those of this version.', action);
  return ok(`The web pages are built (${buildOf(pagesDir)}).`);
}
