import { Refusal } from '../http/refusal.ts';
import { deadlines } from '../lib/deadlines.ts';

class Stuck extends Error {}

/**
 * Says after ten seconds what a start waits for. After a minute without progress it fails; `progress` begins
 * the minute anew.
 */
export async function waitFor<T>(what: string, part: (progress: () => void) => Promise<T>): Promise<T> {
  const { say, end } = deadlines.start;
  const stuck = Promise.withResolvers<never>();
  const saying = setTimeout(() => process.stdout.write(`Atelier waits for ${what}.\n`), say);
  const ending = setTimeout(() => stuck.reject(new Stuck(`It waited ${end / 1000} s for ${what}.`)), end);
  try {
    return await Promise.race([part(() => ending.refresh()), stuck.promise]);
  } finally {
    clearTimeout(saying);
    clearTimeout(ending);
  }
}

export function giveUp(error: unknown): never {
  const action = error instanceof Refusal ? ` ${error.action}` : '';
  process.stderr.write(`Atelier did not start. ${error instanceof Error ? error.message : String(error)}${action}\n`);
  // `process.exit` waits for the threads of this process, and one may wait for a disk that hangs.
  if (error instanceof Stuck && process.platform !== 'win32')
    process.execve?.(process.execPath, [process.execPath, '--eval', 'process.exit(1)'], {});
  process.exit(1);
}
