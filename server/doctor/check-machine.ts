import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail, type Finding, ok, warn } from './finding.ts';

const low = 0.1;
const full = 0.02;

type Space = { bavail: number; blocks: number };

/** Of the disks that hold these folders. */
export async function checkDisks(
  folders: readonly string[],
  measure: (path: string) => Promise<Space> = statfs,
): Promise<Finding[]> {
  return Promise.all([...new Set(folders)].map((folder) => checkDisk(folder, measure)));
}

async function checkDisk(folder: string, measure: (path: string) => Promise<Space>): Promise<Finding> {
  const { bavail, blocks } = await measure(existing(folder));
  const free = blocks === 0 ? 1 : bavail / blocks;
  const sentence = `${(free * 100).toFixed(free < low ? 1 : 0)} % of the disk of ${folder} is free.`;
  const action = 'Free space on it, or make it larger: du -xh --max-depth=2 shows what is large.';
  if (free < full) return fail(sentence, action);
  if (free < low) return warn(sentence, action);
  if (!existsSync(folder))
    return warn(
      `The folder ${folder} does not exist.`,
      'Mount it if it is a disk of its own; otherwise the service makes it at its start.',
    );
  return ok(sentence);
}

const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)));

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
