import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = {
  folder: string;
  /** Uses up all space but this many bytes. */
  fill(leave?: number): void;
  /** Gives back what `fill` used. */
  empty(): void;
  /** Read-only, as a disk becomes after errors, or writable again. */
  mount(as: 'ro' | 'rw'): void;
  close(): Promise<void>;
};

/** A disk of so many megabytes in memory. Only root may mount one. */
export async function openSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    await rm(folder, { recursive: true });
    throw new Error('A small disk cannot be mounted here: this figure needs root and tmpfs.', { cause: error });
  }
  await chmod(folder, 0o711);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill(leave = 0) {
      const file = openSync(filler, 'a');
      for (let size = 2 ** 20; size >= 4_096; size /= 2)
        try {
          for (;;) writeSync(file, Buffer.alloc(size));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      closeSync(file);
      if (leave > 0) execFileSync('truncate', ['-s', `-${leave}`, filler]);
    },
    empty: () => rmSync(filler, { force: true }),
    mount: (as) => void execFileSync('mount', ['-o', `remount,${as}`, folder]),
    async close() {
      execFileSync('umount', ['-l', folder]);
      await rm(folder, { recursive: true });
    },
  };
}
